"""Writes the transcript of a session: the actions that led to its revisions, which a replay carries out again."""

from __future__ import annotations

import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from jiti_tui.engine.board import Board
from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.snapshot import Severity
from jiti_tui.errors import UsageError


class Recorder:
    """Hears the session's events. What was stale, invalid or restored is left out: a replay is to end at the same
    revisions, and what depended on the moment might go otherwise then.
    """

    def __init__(self, path: Path, board: Board) -> None:
        """Make the file at `path`. Raises UsageError where it cannot be made, or is there already."""
        self._path = path
        self._board = board
        self._proposed: dict[str, Any] | None = None
        """The action that was proposed last, until it is known what becomes of it."""
        self._attempt: list[dict[str, Any]] = []
        """What was carried out of the attempt under way."""
        self._ended = False
        try:
            self._handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except FileExistsError:
            raise UsageError(f"{path} is there already: record into another file, or remove it.") from None
        except OSError as error:
            raise UsageError(f"{path} cannot be written: {error.strerror}.") from error

    def hear(self, event: Event) -> None:
        """Take in one event; whatever an accepted revision needs is on disk when its `accepted` was heard."""
        match event.name:
            case "proposal":
                self._proposed = dict(event.fields["action"])
            case "stale" | "invalid":
                self._proposed = None
            case "attempt":
                self._attempt = []
                self._carried_out("evaluate", "go-back")
            case "paused" | "repaired":
                self._carried_out("repair")
            case "resumed":
                self._carried_out("resume")
            case "restored":
                self._attempt = []
            case "accepted":
                self._write(self._attempt)
                self._attempt = []
            case "goals-met" if self._proposed is not None and self._proposed.get("kind") == "finish":
                self._write([self._proposed])
                self._proposed = None

    def close(self) -> None:
        """Write nothing more."""
        if not self._ended:
            self._ended = True
            os.close(self._handle)

    def _carried_out(self, *kinds: str) -> None:
        proposed = self._proposed
        if proposed is not None and proposed.get("kind") in kinds:
            self._attempt.append(proposed)
            self._proposed = None

    def _write(self, actions: list[dict[str, Any]]) -> None:
        if self._ended:
            return
        lines = [json.dumps({"action": {**action, "generation": None}}) + "\n" for action in actions]
        rest = "".join(lines).encode("ascii")
        size = os.fstat(self._handle).st_size
        try:
            while rest:
                rest = rest[os.write(self._handle, rest) :]
            os.fsync(self._handle)
        except OSError as error:
            with suppress(OSError):  # a line that is cut off would end the replay
                os.ftruncate(self._handle, size)
            self.close()
            self._board.notice(
                f"{self._path} cannot be written, {error.strerror}: the recording has ended before that. "
                "Record the next session into another file.",
                Severity.ERROR,
            )
