"""The signs of the screen, in Unicode and in ASCII. Each is one cell wide except `arrow` and `ellipsis`."""

from __future__ import annotations

from jiti_tui.frozen import frozen


@frozen
class Glyphs:
    """A set of signs. `ascii_only` says that other text must be ASCII too."""

    ascii_only: bool
    working: str
    turn: str
    asks: str
    paused: str
    good: str
    recovered: str
    bad: str
    held: str
    not_met: str
    gained: str
    lost: str
    stale: str
    dropped: str
    unknown: str
    asks_value: str
    same: str
    cursor: str
    mark: str
    rule: str
    arrow: str
    ellipsis: str


UNICODE = Glyphs(
    ascii_only=False,
    working="»",
    turn="◆",
    asks="◇",
    paused="‖",
    good="✓",
    recovered="↺",
    bad="✗",
    held="■",
    not_met="○",
    gained="▲",
    lost="▼",
    stale="«",
    dropped="-",
    unknown="·",
    asks_value="?",
    same="=",
    cursor="▸",
    mark="•",
    rule="─",
    arrow="→",
    ellipsis="…",
)

ASCII = Glyphs(
    ascii_only=True,
    working="~",
    turn="*",
    asks="?",
    paused="!",
    good="+",
    recovered="@",
    bad="x",
    held="#",
    not_met="o",
    gained="^",
    lost="v",
    stale="<",
    dropped="-",
    unknown=".",
    asks_value="?",
    same="=",
    cursor=">",
    mark="*",
    rule="-",
    arrow="->",
    ellipsis="...",
)


def glyphs_for(term: str, encoding: str) -> Glyphs:
    """Return the signs that a terminal can show; `term` is the value of TERM, `encoding` that of its locale."""
    unicode = term != "linux" and encoding.lower().replace("-", "") == "utf8"
    return UNICODE if unicode else ASCII
