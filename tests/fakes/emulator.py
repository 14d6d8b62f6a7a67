"""A terminal of its own: cells that change as ECMA-48 and xterm's control sequences say. Lines do not wrap."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import partial

from rich.cells import get_character_cell_size

TOKEN = re.compile(
    r"\x1b\[(?P<parameters>[\d;]*)(?P<final>[@-~])|\x1bM|[\r\n]|[^\x00-\x1f]"
    r"|(?P<aside>\x1b\[[?<=>][\d;]*\$?[@-~]|\x1b\[\d+;\d+;?\d*t|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x07)"
)
"""What changes cells; and aside from that private modes, titles, copies and the bell."""

_BITS = {1: 22, 2: 22, 3: 23, 4: 24, 7: 27, 9: 29}


@dataclass
class Pen:
    """What SGR has set."""

    bits: frozenset[int] = frozenset()
    colour: str = ""
    ground: str = ""

    def set(self, parameters: str) -> None:
        values = [int(value or 0) for value in parameters.split(";")]
        while values:
            value = values.pop(0)
            if value == 0:
                self.bits, self.colour, self.ground = frozenset(), "", ""
            elif value in _BITS:
                self.bits |= {value}
            elif value in _BITS.values():
                self.bits = frozenset(bit for bit in self.bits if _BITS[bit] != value)
            elif value in (38, 48):
                size = {5: 2, 2: 4}[values[0]]
                name, values = str(values[:size]), values[size:]
                self.colour, self.ground = (name, self.ground) if value == 38 else (self.colour, name)
            elif value in (39, 49):
                self.colour, self.ground = ("", self.ground) if value == 39 else (self.colour, "")
            elif 30 <= value <= 37 or 90 <= value <= 97:
                self.colour = str(value)
            else:
                assert 40 <= value <= 47 or 100 <= value <= 107
                self.ground = str(value - 10)

    def cell(self, text: str) -> tuple[str, object]:
        """What is seen: of a blank nothing but its ground, unless a line or the reverse shows on it."""
        if text == " " and not self.bits & {4, 7, 9}:
            return text, self.ground
        return text, (self.bits, self.colour, self.ground)


@dataclass
class Emulator:
    """`rows` are its cells. `bce`: erased cells take the background that is set."""

    width: int
    height: int
    bce: bool
    pen: Pen = field(default_factory=Pen)
    x: int = 0
    y: int = 0

    def __post_init__(self) -> None:
        self.rows = [[("?", None)] * self.width for _ in range(self.height)]
        self.margins = 0, self.height - 1
        self.last = ""

    @property
    def blank(self) -> tuple[str, object]:
        return " ", self.pen.ground if self.bce else ""

    def feed(self, text: str) -> None:
        """Obey `text`, all of which must be known here."""
        end = 0
        for token in TOKEN.finditer(text):
            assert token.start() == end, text[end : end + 20]
            end = token.end()
            if token["aside"]:
                continue
            if token["final"]:
                self._obey(token["final"], token["parameters"])
            else:
                moves = {"\r": self._return, "\n": self._down, "\x1bM": self._up}
                (moves[token[0]] if token[0] in moves else partial(self._write, token[0]))()
        assert end == len(text)

    def _write(self, text: str) -> None:
        row, cells = self.rows[self.y], get_character_cell_size(text)
        if cells == 0:
            at = self.x - 1 if row[self.x - 1][0] else self.x - 2
            row[at] = row[at][0] + text, row[at][1]
            return
        self.last = text
        column = min(self.x, self.width - 1)
        for index, part in enumerate([text, *[""] * (cells - 1)][: self.width - column]):
            row[column + index] = self.pen.cell(part)
        self.x = min(self.width, self.x + cells)

    def _return(self) -> None:
        self.x = 0

    def _down(self) -> None:
        top, bottom = self.margins
        if self.y == bottom:
            self.rows[top : bottom + 1] = [*self.rows[top + 1 : bottom + 1], [self.blank] * self.width]
        else:
            self.y = min(self.height - 1, self.y + 1)

    def _up(self) -> None:
        top, bottom = self.margins
        if self.y == top:
            self.rows[top : bottom + 1] = [[self.blank] * self.width, *self.rows[top:bottom]]
        else:
            self.y = max(0, self.y - 1)

    def _obey(self, final: str, parameters: str) -> None:
        values = [int(value or 0) for value in parameters.split(";")]
        count, row = max(1, values[0]), self.rows[self.y]
        match final:
            case "m":
                self.pen.set(parameters)
            case "H":
                self.y, self.x = count - 1, max(1, values[1] if len(values) > 1 else 1) - 1
            case "C":
                self.x = min(self.width - 1, self.x + count)
            case "K":
                row[self.x :] = [self.blank] * (self.width - self.x)
            case "X":
                row[self.x : self.x + count] = [self.blank] * min(count, self.width - self.x)
            case "b":
                for _ in range(count):
                    self._write(self.last)
            case "@":
                row[self.x :] = [*[self.blank] * count, *row[self.x :]][: self.width - self.x]
            case "P":
                row[self.x :] = [*row[self.x + count :], *[self.blank] * count][: self.width - self.x]
            case "r":
                self.margins = (count - 1, values[1] - 1) if len(values) > 1 else (0, self.height - 1)
                self.y = self.x = 0
            case "t":
                pass
            case _:
                raise AssertionError(f"unknown: {final}")
