"""The proposer that answers from a transcript: one `{"action": {...}}` a line, used up from the top."""

from __future__ import annotations

import asyncio
import re
from codecs import BOM_UTF8
from pathlib import Path
from typing import Any

from jiti_tui.errors import ProposerError, TranscriptEnded, WorldFolderError
from jiti_tui.model.action import KINDS, InvalidAction, parse_action, parse_answer
from jiti_tui.model.proposer import Answer, Listener
from jiti_tui.model.view import LEGAL_IN_TRANSCRIPTS, View
from jiti_tui.regular_file import read_regular

_MAX_BYTES = 64 * 1_048_576
_SHOWN = 1000
"""Characters of a line that is no JSON object which an answer keeps."""


class ReplayProposer:
    """Answers with the first line that the view does not count as used up; an invalid line is used up too."""

    recorded = True
    costs_money = False
    proposals = 1

    def __init__(self, path: Path) -> None:
        """Raises WorldFolderError where there is no transcript to read at `path`."""
        self._path = path
        self.name = f"replay {path.name}"
        _read(path)

    async def propose(self, view: View, listener: Listener, variant: int = 0) -> Answer:
        """See `Proposer`."""
        try:
            lines = await asyncio.to_thread(_read, self._path)
        except WorldFolderError as error:
            raise ProposerError(str(error), family="configuration") from None
        for number, line in enumerate(lines[view.transcript_line :], start=view.transcript_line + 1):
            if line.strip():
                answer = _answer(line, number, view)
                if answer.action:
                    listener.rationale(answer.action.rationale)
                return answer
        raise TranscriptEnded(f"{self._path.name} has no answer left after line {len(lines)}.")

    async def close(self) -> None:
        """See `Proposer`."""


def transcript_problems(path: Path) -> list[str]:
    """A sentence, with file and line, for every line that can never be an action, whatever the view."""
    try:
        lines = _read(path)
    except WorldFolderError as error:
        return [str(error)]
    found = []
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                value = parse_answer(_text(line))
                action = value.get("action") if isinstance(value, dict) else None
                if isinstance(action, dict) and action.get("generation", 0) is None:
                    value = {**value, "action": {**action, "generation": 0}}
                parse_action(value, KINDS)
            except InvalidAction as error:
                found.append(f"{path.name} line {number}: {error}")
    return found


def _read(path: Path) -> list[bytes]:
    try:
        content = read_regular(path, _MAX_BYTES + 1)
    except OSError as error:
        raise WorldFolderError(f"The transcript {path} cannot be read: {error.strerror}.") from error
    if content is None:
        raise WorldFolderError(f"The transcript {path} is not there, or not a file: name one that is.")
    if len(content) > _MAX_BYTES:
        raise WorldFolderError(f"The transcript {path} is larger than {_MAX_BYTES} bytes: split it.")
    content = content.removeprefix(BOM_UTF8)  # editors of another system put it first
    return content.removesuffix(b"\n").split(b"\n") if content else []


def _answer(line: bytes, number: int, view: View) -> Answer:
    """The answer in line `number` (from 1)."""
    raw: dict[str, Any] | str = line[:_SHOWN].decode(errors="replace")
    try:
        value = parse_answer(_text(line))
        if isinstance(value, dict):
            raw = value
            raw = value = _filled_in(value, view)
        legal = view.legal if view.paused else LEGAL_IN_TRANSCRIPTS
        return Answer(raw, parse_action(value, legal), transcript_line=number)
    except InvalidAction as error:
        return Answer(raw, None, invalid=f"Line {number} of the transcript: {error}", transcript_line=number)


def _text(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        raise InvalidAction("The answer is not UTF-8.") from None


def _filled_in(answer: dict[str, Any], view: View) -> dict[str, Any]:
    """The answer with what a transcript may leave to the view: the generation, and a restart's id for its name."""
    action = answer.get("action")
    if not isinstance(action, dict):
        return answer
    action = dict(action)
    if "generation" in action and action["generation"] is None:
        action["generation"] = view.generation
    restart = action.get("restart")
    if view.paused and isinstance(restart, str) and not re.fullmatch(r"\d+/\d+", restart):
        action["restart"] = _restart_id(restart, view)
    return {**answer, "action": action}


def _restart_id(name: str, view: View) -> str:
    """The innermost restart of that name in the menu, which holds the present level's, innermost first."""
    menu = view.paused.restarts if view.paused else ()
    for restart in menu:
        if restart.name == name.lower():
            return restart.id
    names = ", ".join(f"{restart.id} {restart.name}" for restart in menu) or "nothing"
    raise InvalidAction(f'No restart is named "{name[:_SHOWN]}" now; the menu has {names}.')
