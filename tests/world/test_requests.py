from __future__ import annotations

from collections.abc import Callable

import pytest

from jiti_tui.errors import WorldFolderError
from jiti_tui.world.folder import World
from jiti_tui.world.requests import Deciding, Goal, deciding, refuse_duplicates, resolve_requests
from jiti_tui.world.settings import Request

Write = Callable[..., World]
NAMES = ("one", "two", "three")
GOALS = tuple(map(Goal, NAMES))
INVARIANTS = ("always", "from 1", "from 2")
REQUESTS = (
    Request(text="first", goals=("two", "one"), invariants=("from 1",)),
    Request(text="second", invariants=("from 2",)),
    Request(text="typed", goals=()),
)


@pytest.mark.parametrize(
    ("number", "expected"),
    [
        (0, Deciding((), ("always",))),
        (1, Deciding(("one", "two"), ("always", "from 1"))),
        (2, Deciding(NAMES, INVARIANTS)),
        (3, Deciding((), INVARIANTS)),
    ],
)
def test_what_decides_at_each_request(number: int, expected: Deciding) -> None:
    assert deciding(REQUESTS, number, GOALS, INVARIANTS) == expected


TOML = """
packages = ["BANK"]
[[requests]]
text = "one"
goals = ["here"]
[[requests]]
text = "gone"
goals = [
  "here",
  "gone",
]
"""


def test_names_are_those_of_checks(write: Write) -> None:
    world = write(TOML, {"goals.lisp": "", "invariants.lisp": ""})
    resolve_requests(world, [Goal("here"), Goal("gone")], [])
    with pytest.raises(WorldFolderError) as raised:
        resolve_requests(world, [Goal("here")], ["gone"])
    assert str(raised.value) == (
        'world.toml line 10: request 2 names the goal "gone", which is not in goals.lisp. '
        "Correct the name, or write the goal."
    )


SUITE = (Goal("roman: reads", "suite roman"), Goal("roman: writes", "suite roman"), Goal("other"))
MISSING = (Goal("suite roman", "suite roman"), Goal("other"))


@pytest.mark.parametrize(
    ("goals", "wanted", "expected"),
    [
        (SUITE, ("suite roman",), ("roman: reads", "roman: writes")),
        (SUITE, ("roman: writes", "other"), ("roman: writes", "other")),
        (SUITE, None, ("roman: reads", "roman: writes", "other")),
        (MISSING, ("roman: writes",), ("suite roman",)),
        (MISSING, ("suite roman", "other"), ("suite roman", "other")),
    ],
)
def test_a_suite_is_named_as_a_whole_or_by_its_tests(
    goals: tuple[Goal, ...], wanted: tuple[str, ...] | None, expected: tuple[str, ...]
) -> None:
    assert deciding([Request(text="x", goals=wanted)], 1, goals, ()).goals == expected


def test_a_test_that_a_suite_does_not_have(write: Write) -> None:
    world = write('packages = ["A"]\n[[requests]]\ntext = "x"\ngoals = ["roman: sings"]\n', {"goals.lisp": ""})
    with pytest.raises(WorldFolderError, match=r'line 4: request 1 names the goal "roman: sings"'):
        resolve_requests(world, SUITE, [])
    resolve_requests(world, MISSING, [])


def test_an_invariant_where_no_file_is(write: Write) -> None:
    world = write('packages = ["A"]\n[[requests]]\ntext = "x"\ninvariants = [\'it "holds"\']\n')
    with pytest.raises(
        WorldFolderError, match=r"line 4: request 1 names the invariant .* there is no invariants\.lisp"
    ):
        resolve_requests(world, [], [])


def test_two_checks_of_one_name() -> None:
    refuse_duplicates("goal", [("a", "goals/a.lisp", 1), ("b", "goals/a.lisp", 3)])
    with pytest.raises(
        WorldFolderError, match=r'b\.lisp line 9: there is another goal named "a", in goals/a\.lisp line 1'
    ):
        refuse_duplicates("goal", [("a", "goals/a.lisp", 1), ("a", "goals/b.lisp", 9)])
