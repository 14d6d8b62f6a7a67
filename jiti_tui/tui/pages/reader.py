"""What is known of Lisp while it is typed: whether it reads, what it would lead to, what a name can go on to."""

from __future__ import annotations

from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.tui.pages.verdicts import Verdict
from jiti_tui.tui.pages.what_if import innermost_level, outcome
from jiti_tui.tui.state.form import Form
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.typed import name_before
from jiti_tui.tui.state.view import Prompt
from jiti_tui.tui.text.glyphs import Glyphs
from jiti_tui.tui.text.open_form import is_open
from jiti_tui.tui.text.roles import Role


def said_of_prompt(scene: Scene, prompt: Prompt) -> Verdict | None:
    """Return what stands below what is typed: the outcome of trying it, names for its end, else the reader's word."""
    snapshot, text = scene.snapshot, scene.view.typed.text
    trial = prompt.trial(snapshot, text) if prompt.trial is not None else None
    if trial is not None:
        return outcome(trial, innermost_level(snapshot), scene.glyphs)
    return said_of_lisp(snapshot, scene.view.typed.form, scene.glyphs, datum=prompt.datum)


def said_of_lisp(snapshot: Snapshot, form: Form, glyphs: Glyphs, *, datum: bool = False) -> Verdict | None:
    """Return the names that the one before the cursor can go on to, else the reader's word on the whole `form`."""
    known, name = snapshot.completions, name_before(form)
    if known is not None and name and known.prefix == name and known.names != (name,):
        return Verdict(glyphs.cursor, "  ".join(known.names) or "no such name", Role.MUTED)
    return reader_says(snapshot, form.text, glyphs, datum=datum)


def reader_says(snapshot: Snapshot, text: str, glyphs: Glyphs, *, datum: bool = False) -> Verdict | None:
    """Return the reader's verdict on `text`, None while it has none. A form that is still open is no mistake yet."""
    verdict = snapshot.read_verdict
    if verdict is None or (verdict.text, verdict.datum) != (text, datum):
        return None
    if verdict.ok:
        return Verdict(glyphs.good, "reads", Role.MUTED)
    place = f"line {verdict.line}, column {verdict.column}: " if verdict.line else ""
    role = Role.MUTED if is_open(text) else Role.BAD
    return Verdict(glyphs.unknown if is_open(text) else glyphs.bad, place + verdict.reason, role)
