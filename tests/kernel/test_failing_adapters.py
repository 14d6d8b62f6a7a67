"""Adapters that fail: which is named, and what is left of the world."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from fakes.adapters import LOOK, SHORT, calls, export, goes_on, open_parts, set_fails
from fakes.attempt import evaluate, look

from jiti_tui.errors import ForkFailed, WorkerError
from jiti_tui.kernel import registry
from jiti_tui.kernel import world as world_module
from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Failed
from jiti_tui.kernel.world import World

OpenWorld = Callable[..., Awaitable[World]]


@pytest.fixture(autouse=True)
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FORK_SECONDS", SHORT)
    monkeypatch.setattr(world_module, "FORK_SECONDS", SHORT)


@pytest.fixture
def open_world(keeper: Keeper) -> OpenWorld:
    """`await open_world(fails)` opens an accepted world with two adapters of which `fails` tells what fails."""
    return partial(open_parts, keeper)


@pytest.mark.parametrize("how", ["error", "hang", "exit"])
@pytest.mark.parametrize("operation", ["quiesce", "checkpoint"])
async def test_a_failure_before_the_fork_begins_no_attempt(open_world: OpenWorld, operation: str, how: str) -> None:
    world = await set_fails(await open_world(), f'(("second" :{operation} :{how}))')
    with pytest.raises(ForkFailed, match=f"The adapter second failed in {operation}: "):
        await world.attempt(world.generation, 1)
    if operation == "quiesce":
        with pytest.raises(ForkFailed, match="The adapter second failed in quiesce: "):
            await world.runner()
        return
    called = await calls(world)
    assert called[called.index("first checkpoint") :] == [
        *("first checkpoint", "second checkpoint", "first restore first"),
        *("first resume-activity", "second resume-activity", *LOOK),
    ]


@pytest.mark.parametrize("how", ["error", "hang", "exit"])
async def test_a_failure_to_restore_is_told_when_all_have_been_tried(open_world: OpenWorld, how: str) -> None:
    world = await set_fails(await open_world(), f'(("second" :restore :{how}))')
    attempt = await evaluate(world, "1")
    await attempt.candidate.close()
    with pytest.raises(WorkerError, match="The adapter second failed in restore: "):
        await world.restore()
    assert "first restore first" in await calls(world)


async def test_threads_that_do_not_start_are_told_and_the_world_goes_on(open_world: OpenWorld) -> None:
    world = await set_fails(await open_world(), '(("first" :resume-activity :error))')
    trouble = "The adapter first failed in resume-activity: SIMPLE-ERROR: RESUME-ACTIVITY is broken"
    assert world.worker.troubles == [trouble]
    attempt = await evaluate(world, "(setf parts:*fails* '())")
    accepted = await attempt.candidate.accept(2, attempt.generation)
    assert accepted.worker.troubles == []
    await goes_on(accepted)


@pytest.mark.parametrize("how", ["error", "hang", "exit"])
async def test_a_fork_that_an_adapter_fails_in_serves_nothing(open_world: OpenWorld, how: str) -> None:
    world = await set_fails(await open_world(), f'(("first" :begin-fork :{how}))')
    candidate = await world.attempt(world.generation, 1)
    assert isinstance(candidate, Candidate)
    for _ in range(2):
        with pytest.raises(WorkerError, match="The candidate refuses: The adapter first failed in begin-fork: "):
            await candidate.evaluate(world.generation, "1", SHORT)
    await candidate.close()
    runner = await world.runner()
    with pytest.raises(WorkerError, match="The runner refuses: The adapter first failed in begin-fork: "):
        await runner.inspect("1", SHORT)


@pytest.mark.parametrize("how", ["error", "hang"])
async def test_a_failure_to_record_a_form_gives_the_attempt_up(open_world: OpenWorld, how: str) -> None:
    world = await open_world(f'(("second" :record-form :{how}))')
    candidate = await world.attempt(world.generation, 1)
    assert isinstance(candidate, Candidate)
    with pytest.raises(WorkerError, match="The adapter second failed in record-form: "):
        await candidate.evaluate(world.generation, "(defvar *x* 1)", SHORT)
    with pytest.raises(WorkerError, match="The adapter second failed in record-form: "):
        await candidate.runner()
    await candidate.close()
    await world.restore()
    assert await look(world, "(boundp '*x*)") == "NIL"


async def test_a_condition_in_a_form_is_none_of_record_form(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, '(warn "careful") (error "in the form")')
    assert (attempt.pause.condition, attempt.pause.warnings) == ("in the form", ("careful",))
    await attempt.resume("use-value", "7")
    assert attempt.value == "7"


@pytest.mark.parametrize("how", ["error", "hang", "exit"])
async def test_a_failure_to_export_rejects_the_attempt(open_world: OpenWorld, how: str) -> None:
    world = await set_fails(await open_world(), f'(("second" :export-world :{how}))')
    runner = await world.runner()
    exported = await runner.export(SHORT)
    assert isinstance(exported, NotReconstructible)
    assert exported.reason.startswith("The adapter second failed in export-world: ")
    await goes_on(world)


@pytest.mark.parametrize("how", ["error", "hang", "exit"])
async def test_a_failure_to_observe_is_told(open_world: OpenWorld, how: str) -> None:
    world = await set_fails(await open_world(), f'(("first" :observe :{how}))')
    runner = await world.runner()
    with pytest.raises(WorkerError, match="The adapter first failed in observe: "):
        await runner.observe(100, SHORT)
    await goes_on(world)


async def test_a_failure_to_import_is_told(open_world: OpenWorld) -> None:
    exported = await export(await open_world())
    assert isinstance(exported, Export)
    world = await open_world('(("first" :import-world :error))')
    failed = await world.import_(exported.definitions, exported.data, {})
    assert isinstance(failed, Failed)
    assert "The adapter first failed in import-world: SIMPLE-ERROR: IMPORT-WORLD is broken" in failed.reason


async def test_a_candidate_that_cannot_be_promoted_is_no_world(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, """(setf parts:*fails* '(("second" :promote :error)))""")
    with pytest.raises(WorkerError, match="The adapter second failed in promote: "):
        await attempt.candidate.accept(1, attempt.generation)
    await attempt.candidate.close()
    await world.restore()
    await goes_on(world)


async def test_what_is_no_list_of_places_is_a_failure(open_world: OpenWorld) -> None:
    world = await open_world()
    bad = "(in-package #:parts) (defmethod jiti:export-world ((part part) (what (eql :data))) '((1 2) 3))"
    assert await world.load_base("bad.lisp", bad) is None
    exported = await export(world)
    assert isinstance(exported, NotReconstructible)
    assert exported.reason.startswith("The adapter first failed in export-world: it gave no list of (PLACE . VALUE)")
