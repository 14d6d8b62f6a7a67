"""Adapters that a user wrote: when each function of the protocol is called, and when their threads run."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
from fakes.adapters import LOOK, SHORT, calls, export, goes_on, open_parts, set_fails
from fakes.attempt import evaluate, look

from jiti_tui.kernel import registry
from jiti_tui.kernel import world as world_module
from jiti_tui.kernel.exports import Export
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.world import World

OpenWorld = Callable[..., Awaitable[World]]
Wait = Callable[[Callable[[], bool]], Awaitable[None]]


@pytest.fixture(autouse=True)
def _short_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "FORK_SECONDS", SHORT)
    monkeypatch.setattr(world_module, "FORK_SECONDS", SHORT)


@pytest.fixture
def open_world(keeper: Keeper) -> OpenWorld:
    """`await open_world(fails)` opens an accepted world with two adapters of which `fails` tells what fails."""
    return partial(open_parts, keeper)


# When each is called


async def test_the_calls_in_an_accepted_attempt(open_world: OpenWorld) -> None:
    world = await open_world()
    await world.restore()
    attempt = await evaluate(world, "(setf parts:*calls* '())")
    assert await calls(attempt.candidate) == ["first record-form", "second record-form", *LOOK]
    accepted = await attempt.candidate.accept(1, attempt.generation)
    assert (await calls(accepted))[2:] == [
        *("first quiesce", "second quiesce"),  # of the look above
        *("first promote", "second promote", "first resume-activity", "second resume-activity"),
        *LOOK,
    ]


async def test_the_calls_in_a_world_whose_attempt_is_dropped(open_world: OpenWorld) -> None:
    world = await set_fails(await open_world(), "()")
    attempt = await evaluate(world, "1")
    frozen = await calls(world)
    stop = ["first quiesce", "second quiesce"]
    assert frozen[:2] == ["first record-form", "second record-form"]
    assert frozen[2:] == [
        *("first promote", "second promote", "first resume-activity", "second resume-activity"),
        *(*stop, "first checkpoint", "second checkpoint", *stop, *LOOK),
    ]
    await attempt.candidate.close()
    await world.restore()
    assert (await calls(world))[len(frozen) - 2 :] == [
        *("second restore second", "first restore first", "first resume-activity", "second resume-activity"),
        *LOOK,
    ]


async def test_a_world_whose_fork_nobody_waits_for_is_known_to_be_frozen(open_world: OpenWorld) -> None:
    world = await set_fails(await open_world(), "()")
    await world.restore()
    attempt = asyncio.create_task(world.attempt(world.generation, 1))
    await asyncio.sleep(0)
    attempt.cancel()
    with pytest.raises(asyncio.CancelledError):
        await attempt
    assert world.frozen
    assert "second checkpoint" in await calls(world)
    await world.restore()
    assert not world.frozen
    assert (await calls(world))[-6:] == ["first resume-activity", "second resume-activity", *LOOK]
    await goes_on(world)


async def test_candidates_side_by_side_share_a_checkpoint(open_world: OpenWorld) -> None:
    world = await set_fails(await open_world(), "()")
    one, two = await evaluate(world, "1"), await evaluate(world, "2")
    assert [call for call in await calls(world) if "checkpoint" in call or "restore" in call] == [
        "first checkpoint",
        "second checkpoint",
    ]
    await one.candidate.close()
    accepted = await two.candidate.accept(2, two.generation)
    assert (await calls(accepted))[-6:-4] == ["first resume-activity", "second resume-activity"]


async def test_what_an_adapter_keeps_comes_back(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, "(setf parts:*value* 7)")
    exported = await export(attempt.candidate)
    assert isinstance(exported, Export)
    assert '(adapter "first" :value) 7' in exported.data
    fresh = await open_world()
    assert await fresh.import_(exported.definitions, exported.data, {}) is None
    assert await look(fresh, "parts:*value*") == "7"


# Threads


async def test_threads_run_in_an_idle_accepted_world_alone(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, "(parts:thread-names)")
    assert attempt.value == "NIL"
    accepted = await attempt.candidate.accept(1, attempt.generation)
    assert (await calls(accepted))[-6:-4] == ["first resume-activity", "second resume-activity"]
    attempt = await evaluate(accepted, "(parts:thread-names)")
    assert attempt.value == "NIL"
    assert (await calls(accepted))[-6:-4] != ["first resume-activity", "second resume-activity"]
    await attempt.candidate.close()
    await accepted.restore()
    assert (await calls(accepted))[-6:-4] == ["first resume-activity", "second resume-activity"]


async def test_a_thread_that_signals_ends_alone_and_the_world_tells_of_it(open_world: OpenWorld) -> None:
    world = await open_world()
    base = """
    (in-package #:parts)
    (defmethod jiti:resume-activity ((part part))
      (setf (thread part) (sb-thread:make-thread (lambda () (error "no paper")) :name (jiti:adapter-name part)))
      (sb-thread:join-thread (thread part) :default nil))
    """
    assert await world.load_base("failing.lisp", base) is None
    await world.restore()
    assert world.worker.troubles == [f"The thread {name} ended: SIMPLE-ERROR: no paper" for name in ("first", "second")]
    world.worker.troubles.clear()
    await goes_on(world)


# Making one


@pytest.mark.parametrize(
    ("form", "reason"),
    [
        ("(make-instance 'jiti:adapter)", "An adapter needs a :NAME, a string, not NIL."),
        ('(make-instance \'jiti:adapter :name "first")', 'There is an adapter named "first" already.'),
        ('(make-instance \'jiti:directory-adapter :name "../x")', "A directory adapter has a name of a-z"),
    ],
)
async def test_an_adapter_needs_a_name_of_its_own(open_world: OpenWorld, form: str, reason: str) -> None:
    failed = await (await open_world()).load_base("more.lisp", form)
    assert failed is not None
    assert failed.reason.startswith(reason)


async def test_a_proposal_makes_no_adapter(open_world: OpenWorld) -> None:
    attempt = await evaluate(await open_world(), '(make-instance \'jiti:adapter :name "new")')
    assert attempt.pause.condition == "An adapter is made by base code, where a fresh process finds it too."
