"""The agenda: which request is current, what comes next, and which checks decide about it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jiti_tui.engine.interface.snapshot import RequestRow
from jiti_tui.world.requests import typed_request
from jiti_tui.world.settings import Request


class Agenda:
    """The requests of a session, in order; `position` is the current one's index, equal to the length once all have
    ended.
    """

    def __init__(self, requests: Sequence[Request]) -> None:
        self.requests: list[Request] = list(requests)
        self.position = 0

    @property
    def current(self) -> Request | None:
        """The current request, None when all have ended or there are none."""
        return self.requests[self.position] if self.position < len(self.requests) else None

    @property
    def upcoming(self) -> Request | None:
        """The request after the current one."""
        return self.requests[self.position + 1] if self.position + 1 < len(self.requests) else None

    @property
    def number(self) -> int:
        """The current request's number from 1, 0 when there is none."""
        return self.position + 1 if self.current else 0

    def resume_at(self, texts: Iterable[str]) -> bool:
        """Make the first of `texts` that is a request's the current one; they come from the manifests, newest first.

        False when none of them is: then the first request is the current one, and has not begun.
        """
        known = {request.text: index for index, request in enumerate(self.requests)}
        found = next((known[text] for text in texts if text in known), None)
        self.position = found or 0
        return found is not None

    def go_back_to(self, text: str) -> None:
        """Make the request with this text the current one; nothing changes where there is none."""
        texts = [request.text for request in self.requests]
        if text in texts:
            self.position = texts.index(text)

    def replace_rest(self, texts: Sequence[str], *, begun: bool) -> None:
        """Let `texts` be what is left to do, without goals of their own; `begun` keeps the current request before
        them. Raises UsageError for a text that is no request.
        """
        kept = self.requests[: self.position + 1] if begun else self.requests[: self.position]
        self.requests = [*kept, *(typed_request(text) for text in texts)]
        self.position = len(kept)

    def insert(self, text: str, *, begun: bool) -> None:
        """Make a request without goals of its own the current one, after the present one if that has `begun`, else
        before it.
        """
        self.position = min(self.position + 1, len(self.requests)) if begun else self.position
        self.requests.insert(self.position, typed_request(text))

    def advance(self) -> None:
        """Leave the current request."""
        self.position = min(self.position + 1, len(self.requests))

    def row(self, offset: int = 0) -> RequestRow | None:
        """The current request, or the one `offset` places on, as the screen shows it."""
        index = self.position + offset
        if not 0 <= index < len(self.requests):
            return None
        return RequestRow(index + 1, len(self.requests), self.requests[index].text)
