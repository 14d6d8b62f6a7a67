"""What a page is written on: a width, a set of signs, and the ways of putting text there."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache

from jiti_tui.frozen import frozen
from jiti_tui.tui.text.glyphs import Glyphs
from jiti_tui.tui.text.line import Line, Run, chopped, cut, fill, recolour, width_of
from jiti_tui.tui.text.lisp import LONGEST_COLOURED, coloured
from jiti_tui.tui.text.literal import TAB_CELLS, Literal, cells, literal
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.text.wrap import wrapped

LABEL_CELLS = 13
"""Width of the labels of fields, the blank after them included."""


@frozen
class Paper:
    """`width` is in cells; every line that a method returns has exactly that width. Column 0 is the cursor's margin."""

    width: int
    glyphs: Glyphs

    def narrowed(self, width: int) -> Paper:
        """Return paper of another width."""
        return replace(self, width=max(0, width))

    def run(self, text: str, role: Role = Role.TEXT) -> Run:
        """Return `text`, made literal, as a run."""
        return Run(literal(text, ascii_only=self.glyphs.ascii_only), role)

    def fit(self, text: str, width: int, role: Role = Role.TEXT) -> Run:
        """Return a run of exactly `width` cells: `text` padded, or cut with an ellipsis."""
        return Run(cut(self.clip(text, width), max(0, width)), role)

    def clip(self, text: str, width: int) -> Literal:
        """Return `text` as a literal of at most `width` cells, with an ellipsis where it was cut."""
        # A cell holds a letter and two marks at most, so the rest is not seen: text of any length costs the same.
        seen = text[: 3 * max(0, width) + 1]
        safe = literal(seen, ascii_only=self.glyphs.ascii_only)
        if len(seen) == len(text) and cells(safe) <= width:
            return safe
        ellipsis = self.glyphs.ellipsis[: max(0, width)]
        return Literal(cut(safe, max(0, width - len(ellipsis))).rstrip() + ellipsis)

    def line(self, *runs: Run) -> Line:
        """Return `runs` as a line."""
        return fill(runs, self.width)

    def blank(self) -> Line:
        """Return an empty line."""
        return self.line()

    def text(self, text: str, role: Role = Role.TEXT) -> Line:
        """Return one line of text after the margin, cut with an ellipsis."""
        return self.line(self.run(" "), self.fit(text, self.width - 2, role))

    def heading(self, title: str, aside: str = "") -> Line:
        """Return the heading of a section: its title, a rule, and what stands at its right end."""
        left = [self.run(" "), Run(self.clip(title, self.width - 2), Role.STRONG)]
        right = [Run(self.clip(aside, self.width - width_of(left) - 5), Role.MUTED)] if aside else []
        room = self.width - 2 - width_of(left) - (width_of(right) + 1 if right else 0)
        rule = [self.run(" " + self.glyphs.rule * room + (" " if right else ""), Role.MUTED)] if room > 0 else []
        return self.line(*left, *rule, *right)

    def prose(self, text: str, role: Role = Role.TEXT, indent: int = 1) -> list[Line]:
        """Return `text` wrapped between words."""
        return self._lines(self._wrapped(text, indent, words=True), role, indent)

    def code(self, text: str, role: Role = Role.TEXT, indent: int = 1) -> list[Line]:
        """Return all of `text` as it stands; what is wider goes on in the next line."""
        return self._lines(self._wrapped(text, indent, words=False), role, indent)

    def lisp(self, text: str, indent: int = 1) -> list[Line]:
        """Return all of `text`, which is Lisp, in colours; what is wider goes on in the next line."""
        if len(text) > LONGEST_COLOURED:
            return self.code(text, indent=indent)
        return [line for lines in _lisp(self, text, indent) for line in lines]

    def lisp_lines(self, text: str, indent: int = 1) -> Sequence[Sequence[Line]]:
        """As `lisp`, for each line of `text` the lines that it takes."""
        return _lisp(self, text, indent)

    def pieces(self, pieces: Iterable[tuple[str, Role]]) -> list[Run]:
        """Return texts with their roles as runs."""
        return [self.run(text, role) for text, role in pieces]

    def field(
        self,
        label: str,
        text: str,
        role: Role = Role.TEXT,
        *,
        label_cells: int = LABEL_CELLS,
        label_role: Role = Role.MUTED,
    ) -> list[Line]:
        """Return a labelled text, wrapped between words beside its label."""
        indent = 1 + label_cells
        first, *rest = self._wrapped(text, indent, words=True) or (Literal(""),)
        labelled = self.line(self.run(" "), self.fit(label, label_cells, label_role), Run(first, role))
        return [labelled, *self._lines(rest, role, indent)]

    def select(self, line: Line) -> Line:
        """Return `line` as the selected one: the cursor in the margin, all in one role."""
        (whole,) = recolour(line, Role.SELECTION)
        return (Run(Literal(self.glyphs.cursor + whole.text[1:]), Role.SELECTION),)

    def _lines(self, texts: Iterable[Literal], role: Role, indent: int) -> list[Line]:
        return [self.line(self.run(" " * indent), Run(text, role)) for text in texts]

    def _wrapped(self, text: str, indent: int, *, words: bool) -> tuple[Literal, ...]:
        return wrapped(text, self.width - indent - 1, words=words, ascii_only=self.glyphs.ascii_only)


@lru_cache(maxsize=32)
def _lisp(paper: Paper, text: str, indent: int) -> tuple[tuple[Line, ...], ...]:
    whole = "\n".join(line.expandtabs(TAB_CELLS) for line in text.replace("\r\n", "\n").split("\n"))
    margin, room = paper.run(" " * indent), max(1, paper.width - indent - 1)
    lines = [
        tuple(paper.line(margin, *part) for part in chopped(paper.pieces(pieces), room)) for pieces in coloured(whole)
    ]
    return tuple(lines[:-1] if whole.endswith("\n") or not whole else lines)
