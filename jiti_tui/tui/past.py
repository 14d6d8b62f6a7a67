"""What was typed in earlier sessions: a file of JSON lines in the user's state folder, of mode 0600, bounded."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from jiti_tui.places import state_folder
from jiti_tui.tui.private_file import append_private, read_private, write_private
from jiti_tui.tui.state.typed import LONGEST_HISTORY, Memory

_MOST_BYTES = 1_048_576
"""A file that has grown beyond is written anew with what is still recalled."""
_LONGEST = 20_000
"""Characters of a text that is kept."""
_KEY = re.compile(r"\b(?:sk|pk|ghp|gho|xox[abp])[-_][A-Za-z0-9_-]{12,}|\bBearer\s+\S{12,}")


class Past:
    """Reads and writes `history.jsonl`. A file that cannot be read or written stops nobody."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self._path = state_folder(environ) / "history.jsonl"
        self._secrets = [value for name, value in environ.items() if name.endswith("_API_KEY") and len(value) >= 8]

    @property
    def path(self) -> Path:
        """Where it is."""
        return self._path

    def memory(self) -> Memory:
        """Return what earlier sessions have sent."""
        memory = Memory()
        try:
            text = read_private(self._path, _MOST_BYTES)
        except OSError:
            return memory
        for prompt, sent in _entries(text):
            memory = memory.sending(prompt, sent)
        return memory

    def keep(self, prompt: str, text: str) -> None:
        """Remember a text that was sent, unless it looks as if it held a key."""
        if not text.strip() or len(text) > _LONGEST or self._is_secret(text):
            return
        try:
            append_private(self._path, _line(prompt, text))
            if self._path.stat().st_size > _MOST_BYTES:
                self._shorten()
        except OSError:
            return

    def keep_new(self, before: Memory, after: Memory) -> None:
        """Remember what has been sent between two moments."""
        for prompt, sent in after.sent.items():
            if sent and sent is not before.sent.get(prompt):
                self.keep(prompt, sent[-1])

    def _shorten(self) -> None:
        lines = [_line(prompt, text) for prompt, sent in self.memory().sent.items() for text in sent[-LONGEST_HISTORY:]]
        kept: list[str] = []
        room = _MOST_BYTES // 2
        for line in reversed(lines):
            room -= len(line)
            if room < 0:
                break
            kept.append(line)
        write_private(self._path, "".join(reversed(kept)))

    def _is_secret(self, text: str) -> bool:
        return _KEY.search(text) is not None or any(secret in text for secret in self._secrets)


def _line(prompt: str, text: str) -> str:
    return json.dumps({"prompt": prompt, "text": text}) + "\n"


def _entries(text: str) -> Sequence[tuple[str, str]]:
    found = []
    for line in text.split("\n"):
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue  # the first line of a long file is cut, and a full disk may have torn another
        if isinstance(entry, dict) and isinstance(entry.get("prompt"), str) and isinstance(entry.get("text"), str):
            found.append((entry["prompt"], entry["text"]))
    return found
