"""Renders a view as the prompt of a model: what changes least first, everything from the world fenced and bounded."""

from __future__ import annotations

from collections.abc import Sequence

from jiti_tui.frozen import frozen
from jiti_tui.model.fences import cut, fenced, lines, newest, size
from jiti_tui.model.relevance import Shown, choose_definitions
from jiti_tui.model.rules import RULES
from jiti_tui.model.tokens import PER_TOKEN
from jiti_tui.model.view import Check, Definition, PauseView, View

# Shares of the budget, in hundredths; of the definitions', in a large world, two thirds are the index of all.
_TITLE, _BASE, _DEFINITIONS, _DATA, _REQUEST, _PREDICATES, _VERDICTS = 2, 6, 30, 8, 5, 6, 6
_CONDITION, _RESTARTS, _STACK, _ATTEMPT, _OUTPUT, _OUTCOMES = 3, 4, 4, 6, 4, 10


@frozen
class Prompt:
    """The two parts of a request: what is the same for every view, and the view."""

    instructions: str
    input: str


def prompt(view: View, budget: int) -> Prompt:
    """The prompt for `view`, whose input is about `budget` tokens long at most, whatever the world holds."""
    hundredth = budget * PER_TOKEN // 100
    shown = choose_definitions(view, _DEFINITIONS * hundredth, _DEFINITIONS * hundredth // 3)
    packages = cut(" ".join(view.packages), _TITLE * hundredth // 2)
    parts = [
        f"# World\n\n{fenced(cut(view.world, _TITLE * hundredth // 2))}\n\nManaged packages:\n\n{fenced(packages)}",
        _base(view.base, _BASE * hundredth),
        _definitions(shown, 2 * _DEFINITIONS * hundredth // 3),
        _data(view, _DATA * hundredth),
        _request(view, hundredth),
        _others(shown),
        _verdicts(view.checks, _VERDICTS * hundredth),
        _outcomes(view.outcomes, _OUTCOMES * hundredth),
        _pause(view.paused, hundredth) if view.paused else "",
        f"# Answer\n\nRevision {view.revision}, generation {view.generation}. Answer with one action of the kinds: "
        f"{', '.join(sorted(view.legal))}. Its generation is {view.generation}.",
    ]
    return Prompt(RULES, "\n\n".join(part for part in parts if part) + "\n")


def _base(base: Sequence[Definition], budget: int) -> str:
    """The names of all, as many as there is room for, and more of those that come first: the managed packages'."""
    if not base:
        return ""
    heads = [_name(each) for each in base]
    room = budget - sum(size(head) + 1 for head in heads)
    for index, each in enumerate(base):
        room -= size(_documented(each)) - size(heads[index])
        if room < 0:
            break
        heads[index] = _documented(each)
    shown = fenced(lines(heads, budget))
    return f"# Base code\n\nIt was there before the first revision. A definition of yours replaces it.\n\n{shown}"


def _definitions(shown: Shown, budget: int) -> str:
    """All definitions in full where they fit; else as much of the head of each as does, which no request changes."""
    if not shown.indexed:
        return "# Definitions\n\n" + fenced("\n\n".join(d.text for d in shown.sources) or "; none yet")
    heads: list[str] = []
    for head in (_documented, _signature, _name):
        heads = [head(definition) for definition in shown.indexed]
        if sum(size(line) + 1 for line in heads) <= budget:
            break
    index = fenced(lines(heads, budget))
    return f"# Definitions\n\nToo many to show in full; `inspect` shows the source of any.\n\n{index}"


def _others(shown: Shown) -> str:
    """In a large world, the sources that this request, its checks and the stack are about."""
    if not shown.indexed or not shown.sources:
        return ""
    return "# Source of what this is about\n\n" + fenced("\n\n".join(d.text for d in shown.sources))


def _documented(definition: Definition) -> str:
    text = " ".join(definition.documentation.split())
    return f"{_signature(definition)}{f' | {cut(text, 160)}' if text else ''}"


def _signature(definition: Definition) -> str:
    return f"{definition.kind} {definition.signature or definition.name}"


def _name(definition: Definition) -> str:
    return f"{definition.kind} {definition.name}"


def _data(view: View, budget: int) -> str:
    if not view.data:
        return "# Data\n\nNone."
    return "# Data\n\n" + fenced(lines((f"{datum.name} = {datum.value}" for datum in view.data), budget))


def _request(view: View, hundredth: int) -> str:
    """The request, and the predicates that decide about it as their authors wrote them."""
    text = f"# Request\n\n{fenced(cut(view.request or 'none', _REQUEST * hundredth))}\n\n"
    if not view.goals:
        text += "No goal decides this request: `finish` ends it."
    else:
        names = lines(view.goals, _PREDICATES * hundredth)
        text += f"It is met when these goals pass:\n\n{fenced(names)}"
    predicates = [check.text for check in view.checks if check.decides and check.text]
    if predicates:
        source = fenced(lines(predicates, _PREDICATES * hundredth))
        text += f"\n\nTheir source, and that of the invariants that hold:\n\n{source}"
    return text


def _verdicts(checks: tuple[Check, ...], budget: int) -> str:
    """Deciding checks, with what was seen; one that does not decide yet tells nothing about this request."""
    words = {True: "passes", False: "FAILS", None: "unknown"}
    # Those that fail come first: what does not fit is what passes.
    said = [
        f"{check.kind} {words[check.ok]}: {check.name}{f' | {check.detail}' if check.detail else ''}"
        for check in sorted(checks, key=lambda check: check.ok is True)
        if check.decides
    ]
    return "# Checks in the accepted world\n\n" + (fenced(lines(said, budget)) if said else "None.")


def _outcomes(outcomes: tuple[str, ...], budget: int) -> str:
    if not outcomes:
        return ""
    return "# What became of the last answers, oldest first\n\n" + fenced(newest(outcomes, budget))


def _pause(paused: PauseView, hundredth: int) -> str:
    restarts = (
        f"{restart.id} {restart.name} ({_arguments(restart.least, restart.most)}): {restart.report}"
        for restart in paused.restarts
    )
    frames = (f"{frame.call}    {frame.place}" for frame in paused.frames)
    sections = [
        f"# Paused at level {paused.level}",
        fenced(cut(f"{paused.type}: {paused.condition}", _CONDITION * hundredth)),
        f"Restarts, innermost first:\n\n{fenced(lines(restarts, _RESTARTS * hundredth))}",
    ]
    if paused.frames:
        sections.append(f"Stack, innermost first:\n\n{fenced(lines(frames, _STACK * hundredth))}")
    made = [*(d.text for d in paused.definitions), *(f"{datum.name} = {datum.value}" for datum in paused.data)]
    if made:
        sections.append(
            f"What this attempt has defined and changed so far:\n\n{fenced(lines(made, _ATTEMPT * hundredth))}"
        )
    if paused.output:
        sections.append(f"Output so far:\n\n{fenced(cut(paused.output, _OUTPUT * hundredth))}")
    return "\n\n".join(sections)


def _arguments(least: int, most: int | None) -> str:
    if most is None:
        return f"{least} or more arguments"
    count = str(least) if least == most else f"{least} to {most}"
    return f"{count} argument{'' if count == '1' else 's'}"
