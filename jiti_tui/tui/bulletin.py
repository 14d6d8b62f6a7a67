"""What stands on the request row for a while: news of the session, and what the screen itself has to say."""

from __future__ import annotations

from jiti_tui.engine.snapshot import Looked, Notice, Severity, Snapshot

NEWS_SECONDS = 8.0
"""How long news stand; errors and answers stand until the next key."""


class Bulletin:
    """Holds the notice that stands. Times are monotonic seconds."""

    def __init__(self) -> None:
        self._notice: Notice | None = None
        self._until: float | None = None
        self._last_notice = 0
        self._last_answer = 0

    def standing(self, now: float) -> Notice | None:
        """Return the notice that stands at `now`."""
        if self._until is not None and now >= self._until:
            self._notice = None
        return self._notice

    def read(self, snapshot: Snapshot, now: float) -> Looked | None:
        """Take in the snapshot's notice if it is new; return its answer to a look if that is."""
        notice, looked = snapshot.notice, snapshot.looked
        if notice is not None and notice.number > self._last_notice:
            self._last_notice = notice.number
            self._notice = notice
            self._until = now + NEWS_SECONDS if notice.severity is Severity.NEWS else None
        if looked is not None and looked.number > self._last_answer:
            self._last_answer = looked.number
            return looked
        return None

    def say(self, text: str, now: float) -> None:
        """Let the screen's own `text` stand as news."""
        self._notice, self._until = Notice(self._last_notice, text), now + NEWS_SECONDS

    def answer(self, looked: Looked) -> None:
        """Let an answer stand until the next key."""
        severity = Severity.NEWS if looked.ok else Severity.ERROR
        self._notice, self._until = Notice(self._last_notice, one_line(looked), severity), None

    def key_pressed(self) -> None:
        """The operator has seen what stands until the next key."""
        if self._until is None:
            self._notice = None


def one_line(looked: Looked) -> str:
    """Return the answer to a look as a sentence."""
    return f"{looked.expression} {'=>' if looked.ok else 'signals'} {looked.text}"
