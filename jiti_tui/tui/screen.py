"""The one screen: keeps where the operator is, paints pictures, and turns keys into commands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rich.style import Style
from textual import events, on
from textual.app import ComposeResult
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer

from jiti_tui.engine.interface.commands import Command, Compare, Look, ShowFrame, ShowRevision, TraceCheck
from jiti_tui.engine.interface.query_results import Looked
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.tui.bulletin import Bulletin, one_line
from jiti_tui.tui.clock import Clock
from jiti_tui.tui.engine import Engine
from jiti_tui.tui.keys.pointing import click, wheel
from jiti_tui.tui.keys.press import in_menu, press
from jiti_tui.tui.keys.typing import completed, editing, pasting, typing
from jiti_tui.tui.pace import Pace
from jiti_tui.tui.pages.foot import FOOT_ROWS
from jiti_tui.tui.pages.headline import is_operators_turn, is_working
from jiti_tui.tui.past import Past
from jiti_tui.tui.picture import draw
from jiti_tui.tui.settling import Settling
from jiti_tui.tui.state.errand import Errand
from jiti_tui.tui.state.keymap import KeyMap
from jiti_tui.tui.state.scene import Scene, Shown
from jiti_tui.tui.state.step import Step
from jiti_tui.tui.state.view import Sheet, View
from jiti_tui.tui.text.glyphs import Glyphs
from jiti_tui.tui.text.roles import Role
from jiti_tui.tui.theme import Theme
from jiti_tui.tui.unasked import Unasked
from jiti_tui.tui.widgets.parts import Parts


class SessionScreen(Screen[None], inherit_bindings=False):
    """Shows a session. Called in the UI thread alone; snapshots reach it by messages."""

    DEFAULT_CSS = "SessionScreen { overflow: hidden; }"

    class Turned(Message):
        """It has become the operator's turn, or no longer is; `rings` when he should be called."""

        def __init__(self, *, operators_turn: bool, rings: bool) -> None:
            super().__init__()
            self.operators_turn = operators_turn
            self.rings = rings

    class Sent(Message):
        """A key asks something of the terminal or of the machine."""

        def __init__(self, errand: Errand) -> None:
            super().__init__()
            self.errand = errand

    class Quitting(Message):
        """The operator ends the program."""

    def __init__(
        self,
        engine: Engine,
        theme: Theme,
        glyphs: Glyphs,
        clock: Clock,
        keymap: KeyMap | None = None,
        themes: tuple[str, ...] = (),
        past: Past | None = None,
    ) -> None:
        super().__init__()
        self._past = past
        self._keymap = keymap or KeyMap()
        self._themes = themes
        self.shown: Shown | None = None
        """What is painted, None before the first time."""
        self._engine = engine
        self._glyphs = glyphs
        self._clock = clock
        self._parts = Parts(theme.roles)
        self._view = View()
        self._snapshot = engine.snapshot
        self._on_stage = self._snapshot
        self._bulletin = Bulletin()
        self._unasked = Unasked(self._send)
        self._asked_at = 0.0
        """When the latest question about the past or about a frame was asked."""
        self._looking_from: View | None = None
        self._settling = Settling(clock)
        self._pace = Pace(clock)
        self._repaint: Timer | None = None
        self._repaint_in = 0.0
        self._seconds: Timer | None = None
        self._passing: Timer | None = None
        self._reading: Timer | None = None

    def compose(self) -> ComposeResult:
        """Mount the four parts where they will stand, so that the first picture is painted once."""
        self._parts.place(self._scene(), FOOT_ROWS)
        yield from self._parts.widgets

    def on_mount(self) -> None:
        """Start the clock of the badge, stopped until somebody works."""
        self._seconds = self.set_interval(1.0, self.paint, pause=True)
        self.receive(self._engine.snapshot)
        self.call_after_refresh(self._remember)

    def _remember(self) -> None:
        """Take up what earlier sessions have sent; the first picture does not wait for it."""
        if self._past is not None and not self._view.memory.sent:
            self._view = replace(self._view, memory=replace(self._view.memory, sent=self._past.memory().sent))
            self.paint()

    def on_resize(self) -> None:
        """Place the parts and paint them whole."""
        self.repaint()

    def receive(self, snapshot: Snapshot) -> None:
        """Take in the newest snapshot; it is painted now, or with others that follow closely."""
        before, self._snapshot = self._snapshot, snapshot
        if snapshot.painted != before.painted:
            self._unasked.forget()
        if snapshot.completions is not before.completions and snapshot.completions is not None:
            self._view = completed(self._view, snapshot.completions)
        looked = self._bulletin.read(snapshot)
        if looked is not None:
            self._answer(looked)
        if is_operators_turn(snapshot) is not is_operators_turn(before):
            self.post_message(self.Turned(operators_turn=is_operators_turn(snapshot), rings=is_working(before)))
        wait = self._pace.wait(step=snapshot.painted != self._on_stage.painted)
        if wait <= 0:
            self.paint()
        elif self._repaint is None or wait < self._repaint_in:
            if self._repaint is not None:
                self._repaint.stop()
            self._repaint, self._repaint_in = self.set_timer(wait, self.paint), wait

    def paint(self) -> None:
        """Paint what there is now. What was painted is what keys act on from here on."""
        if self._repaint is not None:
            self._repaint.stop()
            self._repaint = None
        if not self._view.occupied or self._snapshot.painted == self._on_stage.painted:
            self._on_stage = self._snapshot
        scene = self._scene()
        if scene.width == 0 or scene.height == 0:
            return
        self._pace.painted(self._clock.monotonic())
        self._settling.painted(scene)
        picture = draw(scene)
        self._parts.place(scene, len(picture.foot))
        self.shown = Shown(scene, picture.pages)
        self._parts.show(picture)
        self._wake()
        self._ask_unasked()

    def _ask_unasked(self) -> None:
        """Ask the engine for what the picture shows without a key, and whether what is typed reads."""
        if self.shown is None:
            return
        delay = self._unasked.ask(self.shown, self._clock.monotonic())
        if delay is not None and self._reading is None:
            self._reading = self.set_timer(delay, self._ask_reader)

    def _ask_reader(self) -> None:
        self._reading = None
        self._ask_unasked()

    def _wake(self) -> None:
        """Paint again each second while somebody works, and when news pass."""
        if self._seconds is not None:
            waits = self.shown is not None and self.shown.page.waits
            works = is_working(self._snapshot) or self._bulletin.looking or waits
            (self._seconds.resume if works else self._seconds.pause)()
        if self._passing is not None:
            self._passing.stop()
        left = self._bulletin.passes_in(self._clock.monotonic())
        self._passing = self.set_timer(left, self.paint) if left is not None else None

    def on_key(self, event: events.Key) -> None:
        """Let the key act on what is painted."""
        event.stop()
        event.prevent_default()
        if self.shown is None:
            return
        self._pace.pressed()
        prompt = self._view.prompt
        if prompt is None:
            self._bulletin.key_pressed()
        if self._view.editing:
            self._follow(editing(self.shown, event.key, event.character))
        elif prompt is not None and prompt.typed:
            in_rows = in_menu(self.shown, event.key)
            self._follow(in_rows or typing(self.shown.scene, event.key, event.character))
        else:
            shown = replace(self.shown, seen=self._settling.settled)
            self._follow(press(shown, self._keymap.name(event.key)))

    def on_paste(self, event: events.Paste) -> None:
        """Put what was pasted where the operator types."""
        if self.shown is not None:
            self._follow(pasting(self.shown.scene, event.text))

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """Go to what the left button points at; it acts on nothing."""
        if self.shown is not None and event.button == 1:
            self._follow(click(self.shown, event.screen_x, event.screen_y))

    @on(events.MouseScrollDown)
    @on(events.MouseScrollUp)
    def _turn(self, event: events.MouseEvent) -> None:
        event.stop().prevent_default()
        if self.shown is not None:
            down = isinstance(event, events.MouseScrollDown)
            self._follow(wheel(self.shown, event.screen_x, event.screen_y, down=down))

    def _follow(self, step: Step) -> None:
        if self._past is not None:
            self._past.keep_new(self._view.memory, step.view.memory)
        self._view = step.view
        for command in step.commands:
            self._send(command)
            if isinstance(command, Look):
                self._looking_from = step.view
                self._bulletin.look(command.expression, self._clock.monotonic())
        if step.notice:
            self._bulletin.say(step.notice)
        if step.errand is not None:
            self.post_message(self.Sent(step.errand))
        if step.quits:
            self.post_message(self.Quitting())
        self.paint()

    def _send(self, command: Command) -> None:
        if isinstance(command, ShowRevision | Compare | TraceCheck | ShowFrame):
            self._asked_at = self._clock.monotonic()
        self._engine.send(command)

    def _answer(self, looked: Looked) -> None:
        """Show the answer to a look in one line where it fits, else over the stage if nothing was done meanwhile."""
        short = not looked.output and "\n" not in looked.text and len(one_line(looked)) < self.size.width - 2
        if not short and self._view is self._looking_from:
            self._view = self._view.open(Sheet.LOOKED)
        else:
            self._bulletin.answer(looked)

    def tell(self, text: str) -> None:
        """Let `text` stand as news."""
        self._bulletin.say(text)
        self.paint()

    def warn(self, text: str) -> None:
        """Let `text` stand until the next key."""
        self._bulletin.warn(text)
        self.paint()

    def wear(self, roles: Mapping[Role, Style]) -> None:
        """Show all in other styles from now on."""
        self._parts.wear(roles)

    def repaint(self) -> None:
        """Paint every cell again, whatever the terminal shows."""
        self._parts.refresh()
        self.paint()

    def _scene(self) -> Scene:
        now = self._clock.monotonic()
        return Scene(
            snapshot=self._snapshot,
            stage=self._on_stage,
            view=self._view,
            width=self.app.size.width,
            height=self.app.size.height,
            glyphs=self._glyphs,
            now=self._clock.wall(),
            elapsed=max(0.0, now - self._snapshot.since),
            asked=max(0.0, now - self._asked_at),
            looking=self._bulletin.looking,
            keymap=self._keymap,
            themes=self._themes,
            notice=self._bulletin.standing(now, covered=self._view.prompt is not None),
        )
