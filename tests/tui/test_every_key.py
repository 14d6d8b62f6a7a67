"""Every key that a state offers, pressed once in the real application. The table of what follows has no gaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from fakes.offered import CONTEXTS, following, offered

from jiti_tui.tui.app import JitiApp
from jiti_tui.tui.keys.footer import footer
from jiti_tui.tui.keys.table import KEYS
from jiti_tui.tui.screen import SessionScreen
from jiti_tui.tui.state.scene import Scene
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import View


def changed(before: View, after: View) -> Iterator[str]:
    """What a key has changed of where the operator is."""
    if after.front is not before.front:
        yield f"front {after.front}"
    if after.overlay is not None:
        yield f"sheet {after.overlay.sheet}"
    if after.prompt is not None:
        yield f"prompt {after.prompt.name}"
    changes = {
        "zoomed": after.zoomed,
        "editing": after.editing and after.draft is not None,
        "looks inside": after.inside != before.inside,
        "marked": after.marks != before.marks or after.lists != before.lists,
        "moved": after.places != before.places,
    }
    yield from (change for change, holds in changes.items() if holds)


@pytest.mark.parametrize("context", CONTEXTS)
def test_every_key_that_is_offered_has_a_row(context: str, scene: Callable[..., Scene]) -> None:
    state, pane = CONTEXTS[context]
    painted = scene(state, view=View(front=pane))
    assert set(following(context)) == offered(painted, context)
    pressed = {key.label for key in KEYS if following(context).keys() & set(key.names) and key.word(painted)}
    digits = {hint.label for hint in footer(painted) if hint.label[:1].isdigit()}
    assert {hint.label for hint in footer(painted)} - digits <= pressed | {"F2"}
    assert not digits or "0" in following(context)


@pytest.mark.parametrize("context", CONTEXTS)
async def test_every_key_does_what_its_row_says(
    context: str, stand: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[str] = []
    steps: list[Step] = []
    follow = SessionScreen._follow

    async def errand(_: JitiApp, event: SessionScreen.Sent) -> None:
        told.append(f"errand {type(event.errand).__name__}")

    def recorded(screen: SessionScreen, step: Step) -> None:
        steps.append(step)
        follow(screen, step)

    monkeypatch.setattr(JitiApp, "on_session_screen_sent", errand)
    monkeypatch.setattr(JitiApp, "end", lambda _, code: told.append(f"ends {code.name}"))
    monkeypatch.setattr(SessionScreen, "_follow", recorded)
    state, pane = CONTEXTS[context]
    made, home = stand(state), View(front=pane)
    async with made.app.run_test(size=(80, 24)) as pilot:
        for name, facts in following(context).items():
            follow(made.app.screen, Step(home))
            await pilot.pause()
            made.clock.at += 1.0
            made.engine.sent.clear()
            told.clear()
            steps.clear()
            await pilot.press(name)
            views = [changed(home, step.view) for step in steps]
            notices = [f"notice {step.notice}" for step in steps if step.notice]
            followed = (*made.engine.sent, *(fact for view in views for fact in view), *told, *notices)
            assert followed == facts, name
