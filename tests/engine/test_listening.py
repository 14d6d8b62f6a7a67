"""How a call to the proposer shows: its rationale at most four times a second, and the wait before another try."""

from __future__ import annotations

import asyncio
import time

from jiti_tui.engine.board import Board
from jiti_tui.engine.listening import CallListener
from jiti_tui.engine.snapshot import Snapshot


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
    return CallListener(board), board, seen


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
