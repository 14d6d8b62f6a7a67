"""Who is let in: whoever has the token, from a page of this server, by a name of this machine."""

from __future__ import annotations

import hmac
import re
import secrets

_LOOPBACK = re.compile(r"(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?", re.ASCII)
"""What a Host header may say. Its port may be any: the near end of an SSH tunnel has one of its own."""

_INCOMPLETE = "The address is not the one that jiti-tui serve has printed: it ends in a token, which must be whole."
_OTHER_NAME = "Here only localhost and addresses of this machine's own loopback are answered."
_OTHER_PAGE = "This comes from a page of another origin."


def new_token() -> str:
    """Return a token that nobody guesses: 256 bits, in characters that need no quoting in a URL."""
    return secrets.token_urlsafe(32)


class Gate:
    """Knows the token, which is the first part of every path.

    It is not kept in a cookie, since browsers send those to every port of this machine.
    """

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    def refusal(self, path: str, host: str | None, origin: str | None, *, needs_origin: bool) -> str:
        """Return why a request is refused, "" where it is let in.

        The arguments are its path and what its headers Host and Origin say. Host tells of DNS rebinding: a page from
        elsewhere whose name has been made to mean this machine. Origin tells of a page from elsewhere that opens a
        websocket to this server, which browsers allow.
        """
        if host is None or not _LOOPBACK.fullmatch(host.lower()):
            return _OTHER_NAME
        given = path.split("/")[1] if path.startswith("/") else ""
        if not hmac.compare_digest(given.encode("utf-8", "surrogatepass"), self._token):
            return _INCOMPLETE
        if origin is None:
            return _OTHER_PAGE if needs_origin else ""
        return "" if origin.lower() == f"http://{host.lower()}" else _OTHER_PAGE
