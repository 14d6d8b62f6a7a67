"""Frozen data classes behave as those of the standard library do, which are the measure here."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Mapping
from dataclasses import FrozenInstanceError, dataclass, field, fields, replace
from typing import Any

import pytest

from jiti_tui.frozen import frozen

standard = dataclass(frozen=True, slots=True)


def family(made: Callable[[type], type]) -> tuple[Any, Any, Any]:
    """A class without fields, one with all kinds of them, and one that inherits from it."""

    @made
    class Empty:
        """Nothing."""

    @made
    class Base:
        """All kinds of fields."""

        name: str
        number: int = 3
        rest: Mapping[str, int] = field(default_factory=dict)

        def twice(self) -> int:
            return 2 * self.number

    @made
    class More(Base):
        """One more."""

        last: float = 0.5

    return Empty, Base, More


@frozen
class Kept:
    """A class that pickle finds."""

    one: int
    two: tuple[str, ...] = ()


OURS, THEIRS = family(frozen), family(standard)


def said(act: Callable[[Any, Any, Any], object], classes: tuple[Any, Any, Any]) -> object:
    """What `act` returns, or the kind of error that it raises."""
    try:
        return act(*classes)
    except (TypeError, FrozenInstanceError) as error:
        return type(error)


@pytest.mark.parametrize(
    "act",
    [
        lambda empty, base, more: [repr(empty()), repr(base("a")), repr(more("a", 1, {"b": 2}, 1.5))],
        lambda empty, base, more: (base("a").twice(), more("a", number=4).twice(), more("a", last=2.0).last),
        lambda empty, base, more: [base("a") == base("a"), base("a") == base("b"), base("a") == more("a")],
        lambda empty, base, more: [empty() == empty(), empty() == base("a"), base("a") == "a"],
        lambda empty, base, more: len({base("a", 1, ()), base("a", 1, ()), base("b", 1, ()), empty(), empty()}),
        lambda empty, base, more: hash(base("a")),
        lambda empty, base, more: [[each.name for each in fields(one)] for one in (empty, base, more)],
        lambda empty, base, more: [one.__match_args__ for one in (empty, base, more)],
        lambda empty, base, more: [one.__slots__ for one in (empty, base, more)],
        lambda empty, base, more: repr(replace(more("a"), number=7)),
        lambda empty, base, more: base("a").rest is base("a").rest,
        lambda empty, base, more: setattr(base("a"), "name", "b"),
        lambda empty, base, more: delattr(base("a"), "name"),
        lambda empty, base, more: base(),
        lambda empty, base, more: base("a", unknown=1),
        lambda empty, base, more: base("a", 1, {}, 2),
        lambda empty, base, more: repr(copy.copy(more("a", 2))),
        lambda empty, base, more: repr(copy.deepcopy(more("a", 2, {"b": 1}))),
    ],
)
def test_it_is_as_the_standard_librarys(act: Callable[[Any, Any, Any], object]) -> None:
    assert repr(said(act, OURS)) == repr(said(act, THEIRS))


def test_it_is_pickled_and_matched() -> None:
    kept = Kept(1, ("a",))
    again = pickle.loads(pickle.dumps(kept))
    assert (again, again.two) == (kept, ("a",))
    match again:
        case Kept(one, (first,)):
            assert (one, first) == (1, "a")
        case _:
            pytest.fail("it does not match")
