"""What stands on the request row for a while: news of the session, and what the screen itself has to say."""

from __future__ import annotations

from enum import Enum, auto

from jiti_tui.engine.interface.query_results import Looked
from jiti_tui.engine.interface.snapshot import Notice, Severity, Snapshot

NEWS_SECONDS = 8.0
"""How long news stand; errors and answers stand until the next key."""


class _Kind(Enum):
    """What a notice is; a newer one takes the place of an older one of its kind."""

    NEWS = auto()
    ERROR = auto()
    ANSWER = auto()
    LOOK = auto()


_UNTIL_A_KEY = (_Kind.ERROR, _Kind.ANSWER)


class Bulletin:
    """Holds what stands; the newest is shown, and what stands longer comes back after it. Times are monotonic seconds.

    Nothing passes unseen beneath a prompt: the time of news starts when the row is free.
    """

    def __init__(self) -> None:
        self._standing: dict[_Kind, Notice] = {}
        """Newest last."""
        self._news_until: float | None = None
        self._looks: list[tuple[str, float]] = []
        """Forms that are being evaluated, and since when."""
        self._last_notice = 0
        self._last_answer = 0

    @property
    def looking(self) -> bool:
        """A form is being evaluated."""
        return bool(self._looks)

    def standing(self, now: float, *, covered: bool = False) -> Notice | None:
        """Return the notice that stands at `now`; `covered` by a prompt it is not seen yet."""
        if self._news_until is not None and now >= self._news_until:
            self._standing.pop(_Kind.NEWS, None)
            self._news_until = None
        if not covered and _Kind.NEWS in self._standing and self._news_until is None:
            self._news_until = now + NEWS_SECONDS
        if not self._standing:
            return None
        kind, notice = list(self._standing.items())[-1]
        return self._progress(now) if kind is _Kind.LOOK else notice

    def passes_in(self, now: float) -> float | None:
        """Return the seconds after which news pass, None when none do by themselves."""
        return max(0.0, self._news_until - now) if self._news_until is not None else None

    def read(self, snapshot: Snapshot) -> Looked | None:
        """Take in the snapshot's notice if it is new; return its answer to a look if that is."""
        notice, looked = snapshot.notice, snapshot.looked
        if notice is not None and notice.number > self._last_notice:
            self._last_notice = notice.number
            self._take_back(notice.about)
            self._put(_Kind.ERROR if notice.severity is Severity.ERROR else _Kind.NEWS, notice)
        if looked is None or looked.number <= self._last_answer:
            return None
        self._last_answer = looked.number
        self._looks = self._without(looked.expression)
        if not self._looks:
            self._standing.pop(_Kind.LOOK, None)
        return looked

    def say(self, text: str) -> None:
        """Let the screen's own `text` stand as news."""
        self._put(_Kind.NEWS, Notice(self._last_notice, text))

    def warn(self, text: str) -> None:
        """Let the screen's own `text` stand until the next key."""
        self._put(_Kind.ERROR, Notice(self._last_notice, text, Severity.ERROR))

    def look(self, expression: str, now: float) -> None:
        """Let it be seen that `expression` is being evaluated, until its answer is read."""
        self._looks.append((expression, now))
        self._put(_Kind.LOOK, self._progress(now))

    def answer(self, looked: Looked) -> None:
        """Let an answer stand until the next key."""
        severity = Severity.NEWS if looked.ok else Severity.ERROR
        self._put(_Kind.ANSWER, Notice(self._last_notice, one_line(looked), severity))

    def key_pressed(self) -> None:
        """The operator, who sees the row, has pressed a key: what stands until then has been read."""
        kind = next(reversed(self._standing), None)
        if kind in _UNTIL_A_KEY:
            del self._standing[kind]

    def _take_back(self, about: str) -> None:
        """Let nothing stand that is about the same as newer news."""
        over = [kind for kind, notice in self._standing.items() if about and notice.about == about]
        for kind in over:
            del self._standing[kind]
        if _Kind.NEWS in over:
            self._news_until = None

    def _put(self, kind: _Kind, notice: Notice) -> None:
        self._standing.pop(kind, None)
        self._standing[kind] = notice
        if kind is _Kind.NEWS:
            self._news_until = None

    def _without(self, expression: str) -> list[tuple[str, float]]:
        """The looks but for the first one of `expression`, which has been answered."""
        at = next((index for index, (known, _) in enumerate(self._looks) if known == expression), 0)
        return self._looks[:at] + self._looks[at + 1 :]

    def _progress(self, now: float) -> Notice:
        expression, since = self._looks[-1]
        return Notice(self._last_notice, f"Evaluating for {int(now - since)} s, Esc stops: {_joined(expression)}")


def one_line(looked: Looked) -> str:
    """Return the answer to a look as a sentence; a form of several lines stands in one."""
    return f"{_joined(looked.expression)} {'=>' if looked.ok else 'signals'} {looked.text}"


def _joined(expression: str) -> str:
    return " ".join(expression.split())
