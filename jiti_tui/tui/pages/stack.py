"""The stack of a pause, with the variables and the source of the frame that is looked at."""

from __future__ import annotations

from jiti_tui.engine.interface.query_results import ShownFrame
from jiti_tui.engine.interface.snapshot import FrameRow, Pause, Snapshot
from jiti_tui.tui.state.view import Inside
from jiti_tui.tui.text.line import Line, Run
from jiti_tui.tui.text.lisp import LONGEST_COLOURED
from jiti_tui.tui.text.literal import Literal
from jiti_tui.tui.text.paper import Paper
from jiti_tui.tui.text.roles import Role

SOURCE_ROWS = 30
"""From so many rows of the stage on, the source is shown without being asked for."""

_FRAME_CELLS = 38
_SOURCE_AROUND = 20
"""Lines of the source that are shown before and behind that of the frame."""
_FRAME = "frame "


def frame_identity(index: int) -> str:
    """Return what the row of a frame is about."""
    return f"{_FRAME}{index}"


def frame_index(identity: object) -> int | None:
    """Return the index of the frame that a row is about, None where it is about none."""
    if isinstance(identity, str) and identity.startswith(_FRAME):
        return int(identity[len(_FRAME) :])
    return None


def frames_of(pause: Pause, level: int | None) -> range:
    """Return the indices of the frames of `level`, None for the innermost."""
    start = 0
    for each in reversed(pause.levels):
        if level is None or each.level == level:
            return range(start, start + len(each.frames))
        start += len(each.frames)
    return range(start, start)


def frame_looked_at(pause: Pause, inside: Inside) -> int | None:
    """Return the index of the frame that the operator looks at: at first the level's innermost whose line is known.

    None where the level has no frames.
    """
    own = frames_of(pause, inside.level)
    if inside.frame is not None and (inside.level is None or inside.frame in own):
        return inside.frame
    return next((index for index in own if pause.frames[index].line), own.start if own else None)


def shows_source(inside: Inside, height: int) -> bool:
    """Say whether the source of the frame is shown on a stage of `height` rows."""
    return height >= SOURCE_ROWS if inside.source is None else inside.source


def frame_line(index: int, pause: Pause, paper: Paper, *, looked_at: bool) -> Line:
    """Return the line of a frame: its call, and where it stands; of an outer level, which one."""
    role, frame = Role.TEXT if looked_at else Role.MUTED, pause.frames[index]
    room = min(_FRAME_CELLS, paper.width // 2)
    place = f"{frame.place}, line {frame.line}" if frame.line else frame.place
    outer = next((level.level for level in pause.levels[:-1] if index in frames_of(pause, level.level)), None)
    place = place if outer is None else f"level {outer}, {place}"
    where = paper.fit(place, paper.width - room - 5, role)
    return paper.line(paper.run("   "), paper.fit(frame.call, room, role), paper.run(" "), where)


def details(snapshot: Snapshot, inside: Inside, paper: Paper, height: int) -> list[Line]:
    """Return the variables and the source of the frame that is looked at, as far as they are wanted."""
    pause = snapshot.pause
    index = frame_looked_at(pause, inside) if pause is not None else None
    if pause is None or index is None:
        return []
    known = snapshot.shown_frame
    if known is not None and (known.generation, known.index) != (snapshot.generation, index):
        known = None
    frame = pause.frames[index]
    lines = _locals(frame, known, paper) if inside.locals else []
    return [*lines, *(_source(frame, known, paper) if shows_source(inside, height) else [])]


def _locals(frame: FrameRow, known: ShownFrame | None, paper: Paper) -> list[Line]:
    lines: list[Line] = [paper.heading(f"Locals of {frame.call}", "t hides")]
    if known is None:
        return [*lines, *paper.prose("They are being read.", Role.MUTED)]
    if not known.locals:
        return [*lines, *paper.prose("None that can be read.", Role.MUTED)]
    widest = min(paper.width // 3, max(len(local.name) for local in known.locals))
    for local in known.locals:
        lines += paper.field(local.name, local.value, label_cells=widest + 2)
    return lines


def _source(frame: FrameRow, known: ShownFrame | None, paper: Paper) -> list[Line]:
    name = frame.call.strip("()").partition(" ")[0]
    place = f"{frame.place}, line {frame.line}" if frame.line else frame.place
    lines: list[Line] = [paper.heading(f"Source of {name}", place)]
    if known is None:
        return [*lines, *paper.prose("It is being read.", Role.MUTED)]
    if not known.text:
        return [*lines, *paper.prose(f"No text is kept of what stands in {frame.place}.", Role.MUTED)]
    texts = known.text.split("\n")
    at = known.line - known.first if known.line else None
    start = max(0, (at or 0) - _SOURCE_AROUND)
    end = min(len(texts), (at or 0) + _SOURCE_AROUND + 1)
    for number, (first, *rest) in enumerate(paper.lisp_lines("\n".join(texts[start:end])[:LONGEST_COLOURED]), start):
        lines.append(_marked(first, paper) if number == at else first)
        lines += rest
    if end < len(texts):
        lines.append(paper.text(f"{paper.glyphs.ellipsis} {len(texts) - end} more lines", Role.MUTED))
    return lines


def _marked(line: Line, paper: Paper) -> Line:
    """The line in which the frame stands: the mark is in the margin."""
    (first, *rest) = line
    return paper.line(Run(Literal(paper.glyphs.cursor), Role.TURN), Run(Literal(first.text[1:]), first.role), *rest)
