"""How a call to the proposer shows: its rationale at most four times a second, and the wait before another try."""

from __future__ import annotations

import asyncio
import time

from jiti_tui.budget import Budgets
from jiti_tui.engine.board import Board
from jiti_tui.engine.deciding.call_listener import CallListener
from jiti_tui.engine.deciding.spending import Spending
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.model.tokens import Tokens


class Seen(list[Snapshot]):
    """The pictures so far; `more` is set by each."""

    def __init__(self) -> None:
        self.more = asyncio.Event()

    def see(self, snapshot: Snapshot) -> None:
        self.append(snapshot)
        self.more.set()


def listening() -> tuple[CallListener, Board, Seen]:
    seen = Seen()
    board = Board(Snapshot("w", "w"), seen.see)
    listener = CallListener(board, Spending(board, Budgets()))
    seen.clear()
    return listener, board, seen


async def test_a_stream_of_pieces_is_few_pictures() -> None:
    listener, board, seen = listening()
    text = ""
    for _ in range(200):
        text += "word "
        listener.rationale(text)
    assert [picture.rationale for picture in seen] == ["word "]
    seen.more.clear()
    await asyncio.wait_for(seen.more.wait(), 10)
    assert [picture.rationale for picture in seen] == ["word ", text]
    listener.rationale(text + "late")
    listener.close()
    assert board.snapshot.rationale == ""


async def test_a_wait_is_shown_and_ends_by_itself() -> None:
    listener, board, seen = listening()
    await listener.wait(0.01, "Busy.")
    assert seen[0].waiting is not None
    assert seen[0].waiting.reason == "Busy."
    assert seen[0].waiting.until > time.time() - 60
    assert board.snapshot.waiting is None


async def test_a_wait_is_skipped() -> None:
    listener, board, seen = listening()
    waiting = asyncio.create_task(listener.wait(3600, "Busy."))
    await asyncio.wait_for(seen.more.wait(), 10)
    listener.skip()
    await asyncio.wait_for(waiting, 10)
    assert board.snapshot.waiting is None


def test_what_a_call_has_cost_counts_after_it_was_closed() -> None:
    listener, board, _ = listening()
    listener.close()
    listener.spent(Tokens(30, 0, 3, estimated=33), 0.25)
    listener.spent(Tokens(10, 0, 2), 0.5)
    for usage in (board.snapshot.usage, board.snapshot.request_usage):
        assert (usage.tokens, usage.estimated, usage.money) == (45, 33, 0.75)
