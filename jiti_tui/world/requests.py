"""Which goals and invariants a request brings into force."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pydantic import ValidationError

from jiti_tui.errors import UsageError, WorldFolderError, place
from jiti_tui.frozen import frozen
from jiti_tui.world.folder import TOML, World
from jiti_tui.world.settings import Request
from jiti_tui.world.toml_errors import sentence
from jiti_tui.world.toml_lines import string_line


@frozen
class Goal:
    """A goal by its name. Of a test, `suite` is what all tests of its suite are called together, else ""."""

    name: str
    suite: str = ""

    def is_meant_by(self, wanted: str) -> bool:
        """Whether a request that names `wanted` means this goal, alone or with the others of its suite.

        Where the base has no such suite, one goal with the suite's name stands for all of its tests.
        """
        if self.suite and self.name == self.suite and wanted.startswith(f"{self.suite.removeprefix('suite ')}: "):
            return True
        return wanted in (self.name, self.suite)


@frozen
class Deciding:
    """Names, in the order of the check files: the goals that decide, and the invariants that hold."""

    goals: tuple[str, ...]
    invariants: tuple[str, ...]


def deciding(requests: Sequence[Request], number: int, goals: Iterable[Goal], invariants: Iterable[str]) -> Deciding:
    """What decides while request `number` of `requests` is the current one.

    `number` counts from 1; 0 means that there is no request: no goal decides, and those invariants hold that no request
    names. `goals` and the names in `invariants` are those of all checks.
    """
    wanted = requests[number - 1].goals if number else ()
    named = {name for request in requests for name in request.invariants}
    begun = {name for request in requests[:number] for name in request.invariants}
    return Deciding(
        goals=tuple(goal.name for goal in goals if wanted is None or any(map(goal.is_meant_by, wanted))),
        invariants=tuple(name for name in invariants if name not in named or name in begun),
    )


def typed_request(text: str) -> Request:
    """The request that somebody has typed as `text`: no goal decides about it.

    Raises UsageError when it is empty, too long or not plain text.
    """
    try:
        return Request(text=text, goals=())
    except ValidationError as error:
        reason = sentence(error.errors(include_url=False)[0], Request)
        raise UsageError(f"The request cannot be taken: {reason}") from None


def resolve_requests(world: World, goals: Sequence[Goal], invariants: Iterable[str]) -> None:
    """Check that every name in [[requests]] is one of a check or of a suite.

    `goals` and the names in `invariants` are those of all checks. Raises WorldFolderError with the line and the unknown
    name.
    """
    for problem in unknown_names(world, goals, invariants):
        raise WorldFolderError(problem)


def unknown_names(world: World, goals: Sequence[Goal], invariants: Iterable[str]) -> Iterator[str]:
    """Yield a sentence, with the line, for every name in [[requests]] that is neither one of a check nor of a suite."""
    known = set(invariants)
    for index, request in enumerate(world.requests):
        for name in request.goals or ():
            if not any(goal.is_meant_by(name) for goal in goals):
                yield _unknown(world, index, "goal", name)
        for name in request.invariants:
            if name not in known:
                yield _unknown(world, index, "invariant", name)


def refuse_duplicates(kind: str, checks: Iterable[tuple[str, str, int]]) -> None:
    """Check that no two checks of one kind ("goal", "invariant") share a name.

    `checks` are (name, file, line). Raises WorldFolderError with the places of both.
    """
    for problem in duplicates(kind, checks):
        raise WorldFolderError(problem)


def duplicates(kind: str, checks: Iterable[tuple[str, str, int]]) -> Iterator[str]:
    """Yield a sentence, with the places of both, for every check of one kind whose name an earlier one has."""
    first: dict[str, tuple[str, int]] = {}
    for name, file, line in checks:
        if name in first:
            other = "{} line {}".format(*first[name])
            yield f'{file} line {line}: there is another {kind} named "{name}", in {other}: rename one.'
        first.setdefault(name, (file, line))


def _unknown(world: World, index: int, kind: str, name: str) -> str:
    line = string_line(world.toml, ("requests", index, f"{kind}s"), name)
    file = world.goals if kind == "goal" else world.invariants
    where = f"is not in {world.shown(file)}" if file else f"is nowhere: there is no {kind}s.lisp"
    return (
        f'{place(TOML, line)}: request {index + 1} names the {kind} "{name}", which {where}. '
        f"Correct the name, or write the {kind}."
    )
