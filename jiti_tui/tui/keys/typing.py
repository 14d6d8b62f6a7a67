"""Keys while the operator types: on the request row, and in the editor."""

from __future__ import annotations

from dataclasses import replace

from jiti_tui.engine.interface.commands import Complete
from jiti_tui.engine.interface.query_results import Completions
from jiti_tui.tui.keys.searching import ended, searching
from jiti_tui.tui.state.form import Form
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.typed import Typed, name_before
from jiti_tui.tui.state.view import View

BREAKS = ("alt+enter", "ctrl+j")
"""Keys that break the line where several can be typed."""
LONGEST_PASTE = 65_536
"""Characters that can be pasted at once; what a world evaluates is bounded likewise."""
_LEAVE = ("escape", "ctrl+c", "ctrl+g")


def typing(scene: Scene, name: str, character: str | None) -> Step:
    """Return what follows when a key is pressed while a prompt waits for text."""
    view = scene.view
    prompt = view.prompt
    if prompt is None:
        return Step(view)
    found = searching(view, name, character)
    if found is not None:
        return found
    view = ended(view)
    if name in _LEAVE:
        return Step(replace(view, prompt=None, memory=view.memory.left(prompt.name, view.typed.text)))
    if (name in BREAKS and prompt.lines) or (name == "enter" and prompt.lisp and view.typed.goes_on):
        return Step(replace(view, typed=view.typed.edited("enter")))
    if name == "enter":
        if prompt.remembered:
            view = replace(view, memory=view.memory.sending(prompt.name, view.typed.text))
        return prompt.submit(replace(scene, view=view), view.typed.text)
    if name == "ctrl+t":
        return prompt.tries(scene, view.typed.text) if prompt.tries is not None else Step(view)
    if name == "tab" and prompt.lisp:
        return _complete(scene)
    moved = view.typed.edited(name) if name in ("up", "down") else view.typed
    if name in ("up", "down") and moved.form.row == view.typed.form.row:
        return Step(_recalled(view, prompt.name, 1 if name == "up" else -1))
    if character is not None and character.isprintable():
        return Step(replace(view, typed=view.typed.insert(character)))
    return Step(view if name == "tab" else replace(view, typed=view.typed.edited(name)))


def editing(shown: Shown, name: str, character: str | None) -> Step:
    """Return what follows when a key is pressed in the editor."""
    view = shown.scene.view
    draft = view.draft
    if draft is None or name in _LEAVE:
        return Step(replace(view, editing=False))
    if name == "tab" and name_before(draft.form):
        return _complete(shown.scene)
    if character is not None and character.isprintable():
        form = draft.form.insert(character)
    else:
        form = draft.form.edited(name, max(1, shown.page.height - 2))
    return Step(_typing(view, form))


def pasting(scene: Scene, text: str) -> Step:
    """Return what follows when `text` is pasted: it goes where the operator types, and nowhere else; whole or not."""
    view = scene.view
    draft = view.draft if view.editing else None
    prompt = view.prompt if view.prompt is not None and view.prompt.typed else None
    if len(text) > LONGEST_PASTE and (draft is not None or prompt is not None):
        return Step(view, notice=f"Nothing was pasted: {len(text):,} characters, and {LONGEST_PASTE:,} at most go in.")
    if draft is not None:
        return Step(_typing(view, draft.form.insert(text)))
    if prompt is not None:
        whole = text.rstrip("\r\n") if prompt.lines else text
        return Step(replace(view, typed=view.typed.insert(whole, lines=prompt.lines)))
    return Step(view)


def completed(view: View, known: Completions) -> View:
    """Return the view with the Lisp name before the cursor as long as all that it can be have in common."""
    form = lisp_typed(view)
    prefix = name_before(form) if form is not None else ""
    common = _common(known.names)
    if form is None or known.prefix != prefix or len(common) < len(prefix):
        return view
    for _ in prefix:
        form = form.edited("backspace", page=1)
    return _typing(view, form.insert(common))


def lisp_typed(view: View) -> Form | None:
    """Return the Lisp that is being typed, in the editor or on the request row; None where none is."""
    if view.editing and view.draft is not None:
        return view.draft.form
    return view.typed.form if view.prompt is not None and view.prompt.lisp else None


def _typing(view: View, form: Form) -> View:
    """The view with `form` instead of the one that is typed."""
    if view.editing and view.draft is not None:
        return replace(view, draft=replace(view.draft, form=form))
    return replace(view, typed=Typed(form))


def _complete(scene: Scene) -> Step:
    """Complete the name before the cursor as far as it is known, or have the kernel find what it can be."""
    view, known = scene.view, scene.snapshot.completions
    form = lisp_typed(view)
    prefix = name_before(form) if form is not None else ""
    if not prefix:
        return Step(view)
    if known is None or known.prefix != prefix:
        return Step(view, (Complete(prefix),))
    return Step(completed(view, known))


def _common(names: tuple[str, ...]) -> str:
    """The beginning that all of `names` share."""
    if not names:
        return ""
    first, last = min(names), max(names)
    same = next((index for index, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[:same]


def _recalled(view: View, name: str, by: int) -> View:
    memory = view.memory.left(name, view.typed.text) if view.typed.recalled == 0 else view.memory
    return replace(view, memory=memory, typed=memory.recall(name, view.typed, by))
