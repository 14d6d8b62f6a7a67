"""The conversation with one process, against processes that break it in every way."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from jiti_tui.errors import WorkerDied, WorkerError
from jiti_tui.kernel.exports import Chunk, Exported
from jiti_tui.kernel.messages import Inspected, Repaired, Resumed, Stale
from jiti_tui.kernel.process import Worker

StartFake = Callable[..., Awaitable[Worker]]
Wait = Callable[[Callable[[], bool]], Awaitable[None]]

INSPECTED = '(:inspected :value "1" :output "")'


async def test_replies_come_in_the_order_of_requests(start_fake: StartFake) -> None:
    worker = await start_fake(("take",), ("take",), ("send", INSPECTED), ("send", "(:stale :generation 4)"), ("hang",))
    first = worker.send("inspect", expression="1")
    second = worker.send("evaluate", generation=3, forms="1")
    assert await worker.answer(second) == Stale(4)
    assert await worker.answer(first) == Inspected("1", "")


async def test_a_caller_that_is_cancelled_leaves_the_conversation_in_step(start_fake: StartFake) -> None:
    worker = await start_fake(("take",), ("take",), ("send", "(:stale :generation 4)"), ("send", INSPECTED), ("hang",))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(worker.ask("evaluate", generation=3, forms="1"), 0.01)
    assert await worker.ask("inspect", expression="1") == Inspected("1", "")


async def test_a_request_behind_a_resume_that_is_not_taken_gets_its_own_reply(start_fake: StartFake) -> None:
    worker = await start_fake(("take",), ("take",), ("send", "(:stale :generation 4)"), ("send", INSPECTED), ("hang",))
    asked, _outcome = worker.send_resume(generation=3, restart="0/0", arguments=[])
    behind = worker.send("inspect", expression="1")
    assert await worker.answer(behind) == Inspected("1", "")
    assert await worker.answer(asked) == Stale(4)


async def test_an_outcome_comes_after_its_resume(start_fake: StartFake) -> None:
    resumed = '(:resumed :generation 4 :restart "0/0" :name "retry")'
    repaired = '(:repaired :generation 5 :value "1" :output "" :dropped 0 :warnings nil)'
    worker = await start_fake(("take",), ("send", resumed), ("send", repaired), ("hang",))
    asked, outcome = worker.send_resume(generation=3, restart="0/0", arguments=[])
    assert await worker.answer(outcome) == Repaired(5, "1", "", 0, (), ())
    assert await worker.answer(asked) == Resumed(4, "0/0", "retry")


async def test_the_time_of_a_request_starts_when_it_is_next(start_fake: StartFake) -> None:
    worker = await start_fake(("take",), ("take",), ("stopped", INSPECTED), ("stopped", INSPECTED), ("hang",))
    first = worker.send("inspect", expression="(loop)")
    second = worker.send("inspect", expression="(loop)")
    behind = asyncio.create_task(worker.answer(second, seconds=0.02))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(worker.answer(first), 0.2)
    assert await worker.answer(first, seconds=0) == Inspected("1", "")
    assert await behind == Inspected("1", "")


async def test_chunks_are_collected(start_fake: StartFake) -> None:
    chunk = '(:chunk :part :data :text "ab")'
    worker = await start_fake(("take",), ("send", chunk), ("send", chunk), ("send", "(:exported)"), ("hang",))
    asked = worker.send("export")
    nothing = Exported((), (), files=(), same=(), blocks=(), before=(), after=(), rest=0, state=())
    assert await worker.answer(asked) == nothing
    assert asked.chunks == [Chunk("data", "ab")] * 2


async def test_a_refusal_names_its_reason(start_fake: StartFake) -> None:
    worker = await start_fake(("take",), ("send", '(:refused :reason "not paused")'), ("hang",))
    with pytest.raises(WorkerError, match="The candidate refuses: not paused"):
        await worker.ask("repair", generation=0, forms="1")
    assert worker.alive


async def test_what_was_said_before_death_counts(start_fake: StartFake) -> None:
    worker = await start_fake(("take",), ("send", INSPECTED), ("exit",))
    assert await worker.ask("inspect", expression="1") == Inspected("1", "")
    await worker.wait_dead()
    with pytest.raises(WorkerDied, match=r"The candidate process .* died"):
        await worker.ask("inspect", expression="1")


async def test_death_fails_all_that_wait(start_fake: StartFake) -> None:
    worker = await start_fake(("take",), ("exit",))
    asked = [worker.send("inspect", expression="1") for _ in range(3)]
    for each in asked:
        with pytest.raises(WorkerDied):
            await worker.answer(each)


async def test_death_is_noticed_though_a_child_holds_the_connection(
    start_fake: StartFake,
) -> None:
    worker = await start_fake(("daemon",), ("exit",))
    with pytest.raises(WorkerDied):
        await worker.ask("inspect", expression="1")


@pytest.mark.parametrize(
    "nonsense",
    [
        ("raw", "not a frame"),
        ("raw", "ffffff"),
        ("raw", "000002()"),
        ("send", "(inspected)"),
        ("send", '(:inspected :value "\\n")'),
        ("send", "(:unheard-of)"),
        ("send", '(:stale :generation "1")'),
        ("send", "(:stale :generation -1)"),
        ("send", "(:stale :generation t)"),
        ("send", "(:stale :generation)"),
        ("send", "(:stale :generation 1 :generation 2)"),
        ("send", "(:inspected :value :keyword)"),
        ("send", '(:paused :generation 1 :level 0 :dropped 0 :restarts (("0/0" "x" "y" 1)))'),
        ("send", '(:observed :data "x")'),
    ],
)
async def test_nonsense_kills(start_fake: StartFake, nonsense: tuple[str, str]) -> None:
    worker = await start_fake(("take",), nonsense, ("close",) if nonsense[1] == "ffffff" else ("hang",), ("hang",))
    with pytest.raises(WorkerDied, match=r"broke the protocol|closed its connection"):
        await worker.ask("inspect", expression="1")


async def test_speaking_without_being_asked_kills(start_fake: StartFake) -> None:
    worker = await start_fake(("send", INSPECTED), ("hang",))
    await worker.wait_dead()
    assert "without being asked" in worker.died.result()


async def test_an_evaluation_is_told_that_its_time_is_over(start_fake: StartFake) -> None:
    worker = await start_fake(("take",), ("stopped", INSPECTED), ("hang",))
    assert await worker.ask("inspect", seconds=0.01, expression="(loop)") == Inspected("1", "")
    assert not worker.deaf


async def test_a_deaf_worker_is_killed(start_fake: StartFake) -> None:
    worker = await start_fake(("take",), ("hang",))
    with pytest.raises(WorkerDied, match="did not stop within"):
        await worker.ask("inspect", seconds=0.01, grace=0.05, expression="(loop)")
    assert worker.deaf


async def test_an_interruption_leaves_an_idle_worker_alone(start_fake: StartFake) -> None:
    worker = await start_fake(("take",), ("send", INSPECTED), ("hang",))
    await worker.interrupt()
    assert await worker.ask("inspect", expression="1") == Inspected("1", "")


async def test_nothing_is_left_of_a_dead_worker(start_fake: StartFake, wait_until: Wait) -> None:
    before = _descriptors()
    worker = await start_fake(("hang",))
    assert _descriptors() >= before + 2
    worker.kill("the test wants it")
    await worker.wait_dead()
    assert worker.died.result().endswith("died: the test wants it.")
    await wait_until(lambda: _descriptors() == before)
    worker.signal(signal.SIGTERM)
    worker.kill()
    worker.exit()


def _descriptors() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))
