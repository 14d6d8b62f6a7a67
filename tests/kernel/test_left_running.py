"""What an evaluation starts beside itself and leaves running is ended, named, and refused."""

from __future__ import annotations

import pytest
from fakes.attempt import evaluate

from jiti_tui.errors import ForkFailed
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Invalid
from jiti_tui.kernel.world import World

IDLER = '(sb-thread:make-thread (lambda () (sleep 100)) :name "idler")'


@pytest.fixture
async def open_world(keeper: Keeper) -> World:
    """A world in which forms may make threads and timers, as no policy would allow."""
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-EXT", "SB-THREAD"]))
    await world.adopt(0, 0)
    return world


@pytest.mark.parametrize(
    ("forms", "named"),
    [
        (f"{IDLER} 1", "the thread idler running"),
        (f"(defun start () {IDLER}) (start) (start)", "the thread idler and the thread idler running"),
        ('(sb-thread:make-thread (lambda () (loop (ignore-errors (loop)))) :name "busy")', "the thread busy running"),
        ('(sb-ext:schedule-timer (sb-ext:make-timer (lambda () 1) :name "bell") 100) 1', "the timer bell running"),
    ],
)
async def test_it_is_a_pause_that_can_go_on_without(open_world: World, forms: str, named: str) -> None:
    attempt = await evaluate(open_world, forms)
    assert attempt.pause.type == "JITI:ACTIVITY-LEFT"
    assert named in attempt.pause.condition
    assert attempt.names == ["continue", "abandon"]
    assert await attempt.look("(length (sb-thread:list-all-threads))") == "1"
    assert (await attempt.resume("continue")).value
    assert (await evaluate(open_world, "(+ 1 1)")).value == "2"


async def test_what_has_ended_by_itself_is_nobodys_business(open_world: World) -> None:
    forms = "(defvar *t* (sb-thread:make-thread (lambda () 5))) (prog1 (sb-thread:join-thread *t*) (makunbound '*t*))"
    assert (await evaluate(open_world, forms)).value == "5"
    assert (
        await evaluate(open_world, "(sb-ext:schedule-timer (sb-ext:make-timer (lambda () 1)) 0.01) (sleep 0.1)")
    ).value


async def test_a_repair_may_leave_nothing_either(open_world: World) -> None:
    attempt = await evaluate(open_world, '(error "e")')
    await attempt.repair(IDLER)
    assert (attempt.pause.level, attempt.pause.type) == (1, "JITI:ACTIVITY-LEFT")


async def test_a_pause_beside_a_thread_cannot_be_forked_and_says_why(open_world: World) -> None:
    attempt = await evaluate(open_world, f'{IDLER} (error "e")')
    with pytest.raises(ForkFailed, match="idler, that no adapter stops"):
        await attempt.candidate.runner()
    refused = await attempt.candidate.repair(1, "1", 1)
    assert isinstance(refused, Invalid)
    assert "idler" in refused.reason
    assert (await attempt.resume("use-value", "2")).pause.type == "JITI:ACTIVITY-LEFT"


async def test_a_timer_that_signals_pauses_where_it_goes_off(open_world: World) -> None:
    forms = '(sb-ext:schedule-timer (sb-ext:make-timer (lambda () (error "ring"))) 0.01) (sleep 10)'
    attempt = await evaluate(open_world, forms)
    assert (attempt.pause.type, attempt.pause.condition) == ("SIMPLE-ERROR", "ring")
    assert (await attempt.resume("use-value", "3")).value == "3"
