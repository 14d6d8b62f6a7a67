"""The tests of a FiveAM suite as goals: which there are, what they tell, and that no attempt can bend them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio
from fakes.attempt import Attempt, evaluate

from jiti_tui.kernel.base_core import ensure_base_core
from jiti_tui.kernel.exports import Export
from jiti_tui.kernel.forks import Forks
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Checked, IndexedCheck, Paused, Unreadable, Value
from jiti_tui.kernel.sandbox import probe_sandbox
from jiti_tui.kernel.sbcl import find_sbcl
from jiti_tui.kernel.world import World

FOLDER = Path(__file__).parents[1] / "fakes" / "suites"
FIVEAM = Path("/usr/share/common-lisp/source/fiveam")

pytestmark = [
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(not FIVEAM.is_dir(), reason="FiveAM is missing; scripts/setup.sh installs it"),
]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def keeper() -> AsyncIterator[Keeper]:
    """A keeper whose processes have the system "fake" and its tests."""
    sbcl, sandbox = await find_sbcl(), await probe_sandbox()

    async def core(rebuild: bool) -> Path:
        return (await ensure_base_core(sbcl, sandbox, ("fake",), FOLDER, rebuild=rebuild)).path

    keeper = await Keeper.start(256, sbcl=sbcl, sandbox=sandbox, core=core)
    yield keeper
    await keeper.close()


async def _fresh(keeper: Keeper, *allow: str) -> World:
    world = await keeper.fork_world()
    await world.open(Opening(["FAKE"], allow=allow))
    await world.adopt(0, 0)
    return world


@pytest_asyncio.fixture(loop_scope="module")
async def suites(keeper: Keeper) -> World:
    """A world that manages the package FAKE; the package of the tests is its base's."""
    return await _fresh(keeper)


async def _index(process: Forks, text: str) -> list[IndexedCheck]:
    runner = await process.runner()
    found = await runner.index_checks("goal", "goals.lisp", text)
    await runner.close()
    assert not isinstance(found, Unreadable), found
    return list(found)


async def _run(process: Forks, check: IndexedCheck, seconds: float = 5) -> Checked:
    runner = await process.runner()
    said = await runner.check("goal", check.name, file="goals.lisp", line=check.line, text=check.text, seconds=seconds)
    await runner.close()
    return said


async def _tell(process: Forks, *names: str) -> list[tuple[bool, str]]:
    """What the tests called `names` say of the world in `process`."""
    found = {check.name: check for check in await _index(process, "(suite fake-tests:all)")}
    told = [await _run(process, found[f"all: {name}"]) for name in names]
    return [(said.ok, said.detail) for said in told]


async def test_each_test_is_a_goal(suites: World) -> None:
    checks = await _index(suites, '(goal "first" t)\n\n; those of the system\n(suite fake-tests:all)\n(lambda () t)')
    assert [(check.name, check.suite) for check in checks] == [
        ("first", ""),
        *(
            (f"all: {name}", "suite all")
            for name in ("half-is-half", "twice-is-twice", "halves-again", "needs-twice", "in-a-fixture")
        ),
        *((f"all: {name}", "suite all") for name in ("breaks", "prints", "checks-nothing", "never-ends", "leaves")),
        ("goal 12", ""),
    ]
    assert {check.line for check in checks[1:-1]} == {4}


@pytest.mark.parametrize("name", [":fake/odd", "  #| a keyword |# :Fake/Odd ; so be it\n"])
async def test_a_suite_within_a_suite(suites: World, name: str) -> None:
    checks = await _index(suites, f"(jiti:suite {name})")
    assert [check.name for check in checks][:2] == ["fake/odd: breaks", "fake/odd: prints"]
    assert len(checks) == 5


async def test_what_passes_tells_how_much_it_checked(suites: World) -> None:
    assert await _tell(suites, "half-is-half", "halves-again", "in-a-fixture", "prints", "checks-nothing") == [
        (True, "2 checks"),
        (True, "1 check"),
        (True, "1 check"),
        (True, "1 check"),
        (True, "0 checks"),
    ]


async def test_what_fails_tells_the_expression_and_the_values(suites: World) -> None:
    ((ok, detail),) = await _tell(suites, "twice-is-twice")
    assert not ok
    assert detail.split("; ") == [
        "(twice 2) evaluated to 6 which is not = to 4",
        "(evenp (twice 1)) did not return a true value",
        "Failed to signal a DIVISION-BY-ZERO",
    ]


async def test_an_error_and_a_test_that_was_left_out(suites: World) -> None:
    (breaks, needs) = await _tell(suites, "breaks", "needs-twice")
    assert not breaks[0]
    assert breaks[1].startswith("unexpected TYPE-ERROR: The value :ONE is not of type NUMBER")
    assert not needs[0]
    assert needs[1].startswith("left out: Dependencies not satisfied; twice-is-twice: (twice 2) evaluated to 6")


async def test_a_test_that_does_not_end_is_stopped(suites: World) -> None:
    (check,) = [check for check in await _index(suites, "(suite :fake/odd)") if check.name.endswith("never-ends")]
    said = await _run(suites, check, seconds=0.2)
    assert not said.ok
    assert said.detail.startswith("timed out")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(suite :nothing)", "The base has no suite :nothing; it has :fake/arithmetic, :fake/odd, fake-tests:all."),
        ("(suite :fake/empty)", "The suite :fake/empty has no tests."),
        ("(suite nowhere:all)", "NOWHERE"),
        ("(suite fake-tests::no-such)", "A form may not make a symbol in the package FAKE-TESTS"),
    ],
)
async def test_a_suite_that_is_not_there_is_one_goal_that_fails(suites: World, text: str, message: str) -> None:
    (check,) = await _index(suites, text)
    assert check.name == check.suite == f"suite {text.rstrip(')').split(' ')[1].split(':')[-1]}"
    said = await _run(suites, check)
    assert not said.ok
    assert message in said.detail


async def test_without_fiveam() -> None:
    keeper = await Keeper.start(256)
    world = await _fresh(keeper)
    (check,) = await _index(world, "(suite :fake)")
    said = await _run(world, check)
    assert not said.ok
    assert "name the ASDF system of its tests in `systems` of world.toml" in said.detail
    await keeper.close()


@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("(suite)", 1, "The suite has no name"),
        ('(goal "x" t)\n(suite "all")', 2, "The suite has no name"),
        ("(suite :a :b)", 1, "The suite has no name"),
        ("(suite :fake/odd)\n(suite :fake/odd)", 2, 'The name "fake/odd: breaks" is taken by line 1.'),
        ("\n(in-package #:fake)", 2, "IN-PACKAGE is not known here"),
    ],
)
async def test_a_goals_file_that_does_not_read(suites: World, text: str, line: int, message: str) -> None:
    runner = await suites.runner()
    found = await runner.index_checks("goal", "goals.lisp", text)
    assert isinstance(found, Unreadable)
    assert found.line == line
    assert message in found.reason


async def test_a_suite_is_no_invariant(suites: World) -> None:
    runner = await suites.runner()
    found = await runner.index_checks("invariant", "invariants.lisp", "(suite :fake/odd)")
    assert isinstance(found, Unreadable)
    assert "SUITE is not known here" in found.reason


# Repairing and bending


async def _recovered(keeper: Keeper, attempt: Attempt, *allow: str) -> World:
    """The attempt's world in a fresh process."""
    runner = await attempt.candidate.runner()
    export = await runner.export()
    assert isinstance(export, Export), export
    world = await _fresh(keeper, *allow)
    assert await world.import_(export.definitions, export.data, {}) is None
    return world


async def test_a_repair_of_the_system_flips_its_goals(keeper: Keeper, suites: World) -> None:
    attempt = await evaluate(suites, "(defun twice (x) (+ x x))\n(defun half (x) (if (eql x :one) 1 (/ x 2)))")
    for process in (attempt.candidate, await _recovered(keeper, attempt)):
        (twice, breaks, half) = await _tell(process, "twice-is-twice", "breaks", "half-is-half")
        assert twice == (False, "(fake-tests:same-p 6 (twice 2)): 4 is not six; Failed to signal a DIVISION-BY-ZERO")
        assert (breaks, half) == ((True, "1 check"), (True, "2 checks"))


BENT = [
    # FiveAM's own function, macro with no effect on compiled tests, generic function
    ("(defun fiveam:run (test) test nil)", "fiveam:run"),
    ("(defun fiveam:get-test (key) key nil)", "get-test"),
    # the test itself, by its own exported name
    ("(fiveam:test fake-tests:half-is-half (fiveam:pass))", "half-is-half"),
    # what the tests call in their own package
    ("(defun fake-tests:same-p (a b) a b t)", "fake-tests:same-p"),
]


@pytest.mark.parametrize(("forms", "culprit"), BENT, ids=["run", "get-test", "test", "helper"])
async def test_a_test_that_was_bent_fails(keeper: Keeper, suites: World, forms: str, culprit: str) -> None:
    attempt = await evaluate(suites, f"{forms}\n(defun own () 1)")
    if isinstance(attempt.outcome, Paused):  # FiveAM has locked its package
        await attempt.resume("continue")
    assert isinstance(attempt.outcome, Value), attempt.outcome
    ((ok, detail),) = await _tell(attempt.candidate, "half-is-half")
    assert not ok
    assert "was changed by the attempt: " in detail
    assert culprit in detail


async def test_inner_names_of_the_tests_are_out_of_reach(suites: World) -> None:
    attempt = await evaluate(suites, "(defun fake-tests::with-nothing () 1)")
    assert not isinstance(attempt.outcome, Value)


@pytest.mark.parametrize(
    "body",
    [
        "(invoke-restart (find-restart 'fiveam::explain))",
        "(invoke-restart (find-restart 'fiveam::ignore))",
        "(throw 'nowhere nil)",
        "(setf (symbol-function 'fiveam::process-failure) (lambda (&rest more) more)) :stayed",
        '(setf fiveam::*on-failure* nil) (error "no")',
    ],
)
async def test_code_that_leaves_its_test_does_not_pass(keeper: Keeper, body: str) -> None:
    world = await _fresh(keeper, "FIVEAM", "IT.BESE.FIVEAM")
    attempt = await evaluate(world, f"(defun leave () {body})")
    assert isinstance(attempt.outcome, Value), attempt.outcome
    ((ok, _detail),) = await _tell(attempt.candidate, "leaves")
    assert not ok


async def test_a_managed_package_of_tests_is_the_worlds_own(keeper: Keeper) -> None:
    """Who lets the world manage the tests' package lets it change what they call, though not the tests."""
    world = await keeper.fork_world()
    await world.open(Opening(["FAKE", "FAKE-TESTS"]))
    await world.adopt(0, 0)
    attempt = await evaluate(world, "(defun fake-tests:same-p (a b) (and (numberp a) (eql a b)))")
    assert await _tell(attempt.candidate, "half-is-half") == [(True, "2 checks")]
    attempt = await evaluate(world, "(in-package #:fake-tests)\n(test half-is-half (pass))\n(defun own () 1)")
    ((ok, detail),) = await _tell(attempt.candidate, "half-is-half")
    assert (ok, "was changed by the attempt" in detail) == (False, True)
