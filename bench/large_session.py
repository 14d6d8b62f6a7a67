"""Shows the screen of a session with 10,000 proposals and 2,000 revisions, and no engine behind it.

With the argument `log` 20 more proposals come each second.
"""

from __future__ import annotations

import sys
import threading
import time
from dataclasses import replace

from jiti_tui.engine.ending import Ending
from jiti_tui.engine.interface.commands import Command
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import CheckKind, CheckRow, Fate, ProposalRow, RequestRow, RevisionRow, Snapshot
from jiti_tui.tui.app import JitiApp
from jiti_tui.tui.mailbox import Mailbox

PROPOSALS, REVISIONS, LINES_A_SECOND = 10_000, 2_000, 20


class StillEngine:
    """Takes commands and does nothing."""

    ending: Ending | None = None

    def __init__(self, snapshot: Snapshot, mailbox: Mailbox) -> None:
        self.snapshot = snapshot
        self._mailbox = mailbox

    def send(self, command: Command) -> None:
        """Do nothing."""

    def join(self, timeout: float) -> bool:
        """It never ran."""
        return True

    def grow(self) -> None:
        """Add proposals until the program ends."""
        number = len(self.snapshot.proposals)
        while True:
            number += 1
            rows = (*self.snapshot.proposals[1:], _proposal(number))
            self.snapshot = replace(self.snapshot, proposals=rows)
            self._mailbox.put(self.snapshot)
            time.sleep(1 / LINES_A_SECOND)


def _proposal(number: int) -> ProposalRow:
    fate = (Fate.ACCEPTED, Fate.RESTORED, Fate.STALE)[number % 3]
    body = f"(defun price-{number} (item)\n  (* {number} (rate item)))"
    why = f"The price of item {number} depends on its rate."
    return ProposalRow(number, number, "evaluate", "openai gpt-5.1", fate, f"as {number}", why, body, time.time(), 400)


def _revision(number: int) -> RevisionRow:
    live = number == REVISIONS
    summary = f"~price-{number} +rate-{number}"
    return RevisionRow(
        number, number - 1, summary, "Sell.", "openai gpt-5.1", (3, 4), time.time() - number, number, live
    )


def session() -> Snapshot:
    """The session, held."""
    checks = tuple(CheckRow(CheckKind.GOAL, f"goal {n}", "goals.lisp", n, n % 2 == 0, "=> 3") for n in range(1, 11))
    return Snapshot(
        "large",
        "A large session",
        phase=Phase.HELD,
        since=time.monotonic(),
        revision=REVISIONS,
        generation=PROPOSALS,
        attempt=PROPOSALS,
        proposer="openai gpt-5.1",
        request=RequestRow(1, 1, "Sell."),
        checks=checks,
        revisions=tuple(_revision(number) for number in range(REVISIONS, 0, -1)),
        proposals=tuple(_proposal(number) for number in range(1, PROPOSALS + 1)),
    )


def main() -> None:
    """Show it until it is quit."""
    mailbox = Mailbox()
    engine = StillEngine(session(), mailbox)
    if "log" in sys.argv:
        threading.Thread(target=engine.grow, daemon=True).start()
    JitiApp(engine, mailbox).run(mouse=False)


if __name__ == "__main__":
    main()
