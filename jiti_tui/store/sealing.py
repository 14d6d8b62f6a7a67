"""The seal on the first line of a file: the SHA-256 of all that follows it."""

from __future__ import annotations

import hashlib
import re

_SEAL = re.compile(rb'\(:seal "([0-9a-f]{64})"\)\n')


class SealError(ValueError):
    """The bytes are not what was sealed. The message is a sentence without a subject."""


def sealed(body: bytes) -> bytes:
    """`body` with its seal before it."""
    return f'(:seal "{hashlib.sha256(body).hexdigest()}")\n'.encode() + body


def unsealed(content: bytes) -> bytes:
    """What `sealed` was given. Raises SealError when a byte of it changed."""
    match = _SEAL.match(content)
    if match is None:
        raise SealError("does not start with a seal")
    body = content[match.end() :]
    if hashlib.sha256(body).hexdigest().encode() != match[1]:
        raise SealError("does not match its seal")
    return body
