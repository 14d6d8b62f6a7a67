"""A disk that loses power: what was flushed lasts, and of everything else any part may."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, TypeAlias

from jiti_tui.store.drill.faults import SteppingFiles
from jiti_tui.store.files import Handle


class PowerLost(BaseException):
    """The machine went off: no code of ours handles that."""


Remains: TypeAlias = dict[Path, bytes | None]


@dataclass
class Node:
    """A file or directory of the simulated disk: what programs see, and what a flush has made to last."""

    seen: Any
    lasting: Any

    @classmethod
    def file(cls) -> Node:
        return cls(b"", b"")

    @classmethod
    def directory(cls) -> Node:
        return cls({}, {})


@dataclass
class Disk:
    """What is below one directory, kept in step with the real operations there."""

    top: Path
    root: Node = field(default_factory=Node.directory)

    def adopt(self, path: Path) -> Node:
        """Take over what is really there as flushed long ago."""
        if path.is_dir():
            entries = {entry.name: self.adopt(entry) for entry in path.iterdir()}
            return Node(entries, dict(entries))
        content = path.read_bytes()
        return Node(content, content)

    def node(self, path: Path) -> Node:
        found = self.root
        for name in path.relative_to(self.top).parts:
            found = found.seen[name]
        return found

    def apply(self, operation: str, arguments: tuple[Any, ...]) -> None:
        first = getattr(arguments[0], "path", arguments[0])
        parent = self.node(first.parent).seen if first != self.top else {}
        match operation:
            case "make_directory":
                parent[first.name] = Node.directory()
            case "create" | "open_shared":
                parent.setdefault(first.name, Node.file())
            case "write":
                self.node(first).seen += arguments[1]
            case "truncate":
                self.node(first).seen = self.node(first).seen[: arguments[1]]
            case "flush":
                node = self.node(first)
                node.lasting = dict(node.seen) if isinstance(node.seen, dict) else node.seen
            case "rename":
                self.node(arguments[1].parent).seen[arguments[1].name] = parent.pop(first.name)
            case "link":
                self.node(arguments[1].parent).seen[arguments[1].name] = parent[first.name]
            case "remove" | "remove_directory":
                del parent[first.name]

    def remains(self, survives: Callable[[], bool]) -> Remains:
        """What is there when power comes back: the contents of files, None for directories, by path below the top.

        `survives` is asked about every change that was not flushed.
        """
        found: Remains = {}
        _collect(self.root, Path(), survives, found)
        return found


def _collect(node: Node, path: Path, survives: Callable[[], bool], found: Remains) -> None:
    if isinstance(node.seen, dict):
        found[path] = None
        for name in sorted({*node.seen, *node.lasting}):
            now, before = node.seen.get(name), node.lasting.get(name)
            child = now if now is before or survives() else before
            if child is not None:
                _collect(child, path / name, survives, found)
    elif node.seen == node.lasting or survives():
        found[path] = node.seen
    elif survives():
        # Torn: the new length, and only the first half of what is new.
        found[path] = _half(node).ljust(len(node.seen), b"\0")
    elif survives():
        found[path] = _half(node)
    else:
        found[path] = node.lasting


def _half(node: Node) -> bytes:
    return bytes(node.seen[: (len(node.lasting) + len(node.seen)) // 2])


def restart(remains: Remains, target: Path) -> None:
    """Write what remains to the new directory `target`."""
    for path, content in remains.items():
        if content is None:
            (target / path).mkdir()
        else:
            (target / path).write_bytes(content)


class PowerFiles(SteppingFiles):
    """Loses power in the middle of operation `at`; `disk` then has what may be left."""

    def __init__(self, top: Path, at: int | None = None) -> None:
        super().__init__(at)
        self.disk = Disk(top)
        self.disk.root = self.disk.adopt(top)
        self.lost = False

    def flush_together(self, *handles: Handle) -> None:
        # One after the other, so that power can go between any two.
        self.waits += 1
        for handle in handles:
            self.flush(handle)

    def take(self, number: int, operation: str, arguments: tuple[Any, ...]) -> Any:
        if operation == "close":
            return super().take(number, operation, arguments)
        if self.lost or (self.at is not None and number >= self.at):
            if operation == "write" and not self.lost:
                self.disk.apply(operation, (arguments[0], arguments[1][: len(arguments[1]) // 2]))
            self.lost = True
            raise PowerLost
        result = super().take(number, operation, arguments)
        self.disk.apply(operation, arguments)
        return result


def one_chance(disk: Disk, seed: int) -> Iterator[Remains]:
    """Any part of what was not flushed, the same one for the same seed."""
    source = random.Random(seed)  # noqa: S311 - the same dice each time, no secret
    yield disk.remains(lambda: source.random() < 0.5)


MOST = 64
"""As many states as six changes make, each of them left or not."""
SEEDS = 8


def every_chance(disk: Disk, seed: int) -> Iterator[Remains]:
    """Every part of what was not flushed, where those are no more than `MOST`.

    Otherwise nothing and everything, each single change alone, everything but each, and some parts by `seed`.
    """
    states = list(islice(_all_states(disk), MOST + 1))
    if len(states) > MOST:
        states = list(_chosen_states(disk, seed))
    seen = set()
    for state in states:
        key = frozenset(state.items())
        if key not in seen:
            seen.add(key)
            yield state


def _all_states(disk: Disk) -> Iterator[Remains]:
    """What remains for every sequence of answers: each begins as the one before, up to its last no, which is a yes."""
    answers: list[bool] = []
    while True:
        given = iter([*answers])
        answers = []

        def survives(given: Iterator[bool] = given, answers: list[bool] = answers) -> bool:
            answers.append(next(given, False))
            return answers[-1]

        yield disk.remains(survives)
        while answers and answers[-1]:
            answers.pop()
        if not answers:
            return
        answers[-1] = True


def _chosen_states(disk: Disk, seed: int) -> Iterator[Remains]:
    for usual in (False, True):
        asked = 0
        odd = 0
        while odd <= asked:
            asked = 0

            def survives(usual: bool = usual, odd: int = odd) -> bool:
                nonlocal asked
                asked += 1
                return usual != (asked == odd)

            yield disk.remains(survives)
            odd += 1
    for number in range(SEEDS):
        yield from one_chance(disk, SEEDS * seed + number)
