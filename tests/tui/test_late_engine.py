"""The engine that opens after the first paint: what is sent before it is there, and how long its end may take."""

from __future__ import annotations

import threading
from collections.abc import Callable

from jiti_tui.engine.ending import Ending
from jiti_tui.engine.interface.commands import Command, Go, Hold
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.errors import Exit, UsageError
from jiti_tui.tui.late_engine import LateEngine
from jiti_tui.tui.mailbox import Mailbox


class Opened:
    """The engine proper. It keeps what it is sent, and never ends."""

    snapshot = Snapshot("sales_tax", "sales_tax")
    ending: Ending | None = None
    waited = 0.0

    def __init__(self) -> None:
        self.sent: list[Command] = []

    def send(self, command: Command) -> None:
        self.sent.append(command)

    def join(self, timeout: float) -> bool:
        self.waited = timeout
        return False


class Interrupted(Opened):
    """While it takes its first command, another thread sends the second one."""

    late: LateEngine
    other: threading.Thread

    def send(self, command: Command) -> None:
        if command == Go():
            self.other = threading.Thread(target=self.late.send, args=(Hold(),))
            self.other.start()
            self.other.join(0.1)  # time enough where nothing keeps it
        super().send(command)


def test_what_was_sent_before_the_engine_is_there_reaches_it_first() -> None:
    engine = Interrupted()
    engine.late = late = LateEngine("sales_tax", lambda _: engine, Mailbox())
    late.send(Go())
    late.begin()
    late.join(20)
    engine.other.join(20)
    assert engine.sent == [Go(), Hold()]


def test_opening_and_ending_share_the_time() -> None:
    engine, may_open = Opened(), threading.Event()

    def open_late(_: Callable[[Snapshot], None]) -> Opened:
        may_open.wait(20)
        return engine

    late = LateEngine("sales_tax", open_late, Mailbox())
    late.begin()
    threading.Timer(0.2, may_open.set).start()
    assert not late.join(20)
    assert engine.waited < 19.9


def test_a_session_that_cannot_be_opened_ends_with_its_sentence() -> None:
    mailbox = Mailbox()
    heard: list[Snapshot] = []
    mailbox.listen(heard.append)

    def refuse(_: Callable[[Snapshot], None]) -> Opened:
        raise UsageError("There is no such world.")

    late = LateEngine("sales_tax", refuse, mailbox)
    late.begin()
    assert late.join(20)
    assert late.ending is not None
    assert (late.ending.exit, late.ending.sentence) == (Exit.USAGE, "There is no such world.")
    assert [(snapshot.phase, snapshot.reason) for snapshot in heard] == [(Phase.CLOSED, "There is no such world.")]
