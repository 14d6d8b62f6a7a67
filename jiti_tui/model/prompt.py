"""Renders a view as the prompt of a model: what changes least first, everything from the world fenced and bounded."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from jiti_tui.model.rules import RULES
from jiti_tui.model.view import Check, Definition, PauseView, View

DEFINITIONS = 80_000
"""Characters of definitions that are shown in full; the others are named."""
_NAMES = 20_000
_DATA = 12_000
_CHECKS = 16_000
_OUTCOMES = 12_000
_REQUEST = 12_000
_CONDITION = 4_000
_STACK = 6_000
_RESTARTS = 6_000
_OUTPUT = 6_000


@dataclass(frozen=True, slots=True)
class Prompt:
    """The two parts of a request: what is the same for every view, and the view."""

    instructions: str
    input: str


def prompt(view: View) -> Prompt:
    """The prompt for `view`. Its size is bounded, whatever the world holds."""
    parts = [
        f"# World\n\n{_fenced(_cut(view.world, 200))}\n\nManaged packages: {_cut(' '.join(view.packages), 2_000)}",
        _definitions(view.definitions),
        _data(view),
        f"# Request\n\n{_fenced(_cut(view.request or 'none', _REQUEST))}\n\n{_deciding(view)}",
        _checks(view.checks),
        _outcomes(view.outcomes),
        _pause(view.paused) if view.paused else "",
        f"# Answer\n\nRevision {view.revision}, generation {view.generation}. Answer with one action of the kinds: "
        f"{', '.join(sorted(view.legal))}. Its generation is {view.generation}.",
    ]
    return Prompt(RULES, "\n\n".join(part for part in parts if part) + "\n")


def _definitions(definitions: tuple[Definition, ...]) -> str:
    """The texts in their order, as long as they fit; then the names of those that did not."""
    shown: list[str] = []
    named: list[str] = []
    left = DEFINITIONS
    for definition in definitions:
        if len(definition.text) <= left:
            left -= len(definition.text)
            shown.append(definition.text)
        else:
            named.append(f"{definition.kind} {definition.name}")
    text = "# Definitions\n\n" + _fenced("\n\n".join(shown) or "; none yet")
    if named:
        text += f"\n\nToo long to show, `inspect` can look at them:\n\n{_fenced(_lines(named, _NAMES))}"
    return text


def _data(view: View) -> str:
    if not view.data:
        return "# Data\n\nNone."
    return "# Data\n\n" + _fenced(_lines((f"{datum.name} = {datum.value}" for datum in view.data), _DATA))


def _deciding(view: View) -> str:
    if not view.goals:
        return "No goal decides this request: `finish` ends it."
    return f"It is met when these goals pass:\n\n{_fenced(_lines(view.goals, _CHECKS))}"


def _checks(checks: tuple[Check, ...]) -> str:
    """Deciding checks, with what was seen; one that does not decide yet tells nothing about this request."""
    words = {True: "passes", False: "FAILS", None: "unknown"}
    lines = [
        f"{check.kind} {words[check.ok]}: {check.name}{f' | {check.detail}' if check.detail else ''}"
        for check in checks
        if check.decides
    ]
    return "# Checks in the accepted world\n\n" + (_fenced(_lines(lines, _CHECKS)) if lines else "None.")


def _outcomes(outcomes: tuple[str, ...]) -> str:
    """The latest outcomes: where they do not all fit, the oldest go."""
    if not outcomes:
        return ""
    kept: list[str] = []
    left = _OUTCOMES
    for outcome in reversed(outcomes):
        line = _cut(outcome, _OUTCOMES // 2)
        left -= len(line)
        if left < 0:
            break
        kept.append(line)
    return "# What became of the last answers, oldest first\n\n" + _fenced("\n".join(reversed(kept)))


def _pause(paused: PauseView) -> str:
    restarts = (
        f"{restart.id} {restart.name} ({_arguments(restart.least, restart.most)}): {restart.report}"
        for restart in paused.restarts
    )
    frames = (f"{frame.call}    {frame.place}" for frame in paused.frames)
    sections = [
        f"# Paused at level {paused.level}",
        _fenced(_cut(f"{paused.type}: {paused.condition}", _CONDITION)),
        f"Restarts, innermost first:\n\n{_fenced(_lines(restarts, _RESTARTS))}",
    ]
    if paused.frames:
        sections.append(f"Stack, innermost first:\n\n{_fenced(_lines(frames, _STACK))}")
    if paused.output:
        sections.append(f"Output so far:\n\n{_fenced(_cut(paused.output, _OUTPUT))}")
    return "\n\n".join(sections)


def _arguments(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more arguments"
    count = str(least) if least == most else f"{least} to {most}"
    return f"{count} argument{'' if count == '1' else 's'}"


def _lines(lines: Iterable[str], budget: int) -> str:
    """One line each, as many as the budget holds; says how many are left out."""
    kept: list[str] = []
    left_out = 0
    for line in (_cut(line, 2_000) for line in lines):
        if left_out or len(line) > budget:
            left_out += 1
        else:
            budget -= len(line) + 1
            kept.append(line)
    if left_out:
        kept.append(f"({left_out} more, not shown)")
    return "\n".join(kept)


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]}... ({len(text) - limit} characters more, not shown)"


def _fenced(text: str) -> str:
    """`text` between fences that are longer than any run of backquotes in it: it cannot end them."""
    longest = max((len(run) for run in re.findall(r"`+", text)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{text}\n{fence}"
