"""The Textual application: carries snapshots to the screen, and ends cleanly whatever ends it."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from pathlib import Path

from textual.app import App
from textual.binding import Binding
from textual.message import Message

from jiti_tui.engine.interface.commands import Quit
from jiti_tui.engine.interface.phase import Phase
from jiti_tui.engine.interface.snapshot import Snapshot
from jiti_tui.errors import Exit
from jiti_tui.tui.clipboard import copied
from jiti_tui.tui.clock import Clock
from jiti_tui.tui.driver import PromptDriver
from jiti_tui.tui.editor import editor_command, inside_folder
from jiti_tui.tui.engine import Engine
from jiti_tui.tui.mailbox import Mailbox
from jiti_tui.tui.past import Past
from jiti_tui.tui.screen import SessionScreen
from jiti_tui.tui.settings import ScreenSettings
from jiti_tui.tui.state.errand import CopyText, OpenFile, Repaint, Suspend, UseTheme
from jiti_tui.tui.text.glyphs import UNICODE, Glyphs
from jiti_tui.tui.text.literal import literal
from jiti_tui.tui.theme import Theme
from jiti_tui.tui.wardrobe import Wardrobe

_PUSH_TITLE, _POP_TITLE = "\x1b[22;0t", "\x1b[23;0t"
"""xterm's stack of titles: the one from before the program comes back after it."""

_NO_TERMINAL = "An editor and a shell need a terminal, and a browser is none."

_ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


class JitiApp(App[Exit], inherit_bindings=False):
    """Shows the session of `engine`, whose snapshots come by `mailbox`. `run` returns how it ended."""

    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS = [Binding("ctrl+q", "leave", "Quit", show=False, priority=True)]  # noqa: RUF012 - Textual's own form

    class Arrived(Message):
        """A snapshot has come from the engine's thread."""

        def __init__(self, snapshot: Snapshot) -> None:
            super().__init__()
            self.snapshot = snapshot

        def can_replace(self, message: Message) -> bool:
            """Newer snapshots say all that older ones say."""
            return isinstance(message, JitiApp.Arrived)

    def __init__(
        self,
        engine: Engine,
        mailbox: Mailbox,
        *,
        theme: Theme | None = None,
        glyphs: Glyphs = UNICODE,
        clock: Clock | None = None,
        folder: Path | None = None,
        settings: ScreenSettings | None = None,
        past: Past | None = None,
    ) -> None:
        """`folder` is the world's, whose files an editor is opened on; `past` has what earlier sessions typed."""
        # Colours go to the terminal as the theme names them; Textual paints nothing of its own here.
        super().__init__(driver_class=None if os.environ.get("TEXTUAL_DRIVER") else PromptDriver, ansi_color=True)
        self.animation_level = "none"
        self._engine = engine
        self._mailbox = mailbox
        self._glyphs = glyphs
        self._once_painted: Callable[[], None] | None = None
        self._ended = False
        self._folder = folder
        settings = settings or ScreenSettings()
        self._wardrobe = Wardrobe(self.no_color, self.console.color_system == "standard", settings)
        self._session_screen = SessionScreen(
            engine,
            theme or self._wardrobe.first(),
            glyphs,
            clock or Clock(),
            keymap=settings.keymap,
            themes=tuple(self._wardrobe.names),
            past=past,
        )
        self._complaints = [*settings.complaints, *self._wardrobe.complaints]
        self._editor: asyncio.subprocess.Process | None = None

    def call_once_painted(self, work: Callable[[], None]) -> None:
        """Call `work` once, when the first picture is on the terminal."""
        self._once_painted = work

    def get_default_screen(self) -> SessionScreen:
        """Return the one screen."""
        return self._session_screen

    def on_mount(self) -> None:
        """Listen to the engine, and to the signals that end programs."""
        self._mailbox.listen(lambda snapshot: self.post_message(self.Arrived(snapshot)))
        self.post_message(self.Arrived(self._engine.snapshot))
        self._write_title(_PUSH_TITLE)
        self._entitle("")
        self.app_resume_signal.subscribe(self, lambda _: self._session_screen.repaint())
        loop = asyncio.get_running_loop()
        for number in _ENDING_SIGNALS:
            loop.add_signal_handler(number, self.end, Exit.INTERRUPTED)
        if self._once_painted is not None:
            self.call_after_refresh(self._once_painted)
        if self._complaints:
            self._session_screen.warn(" ".join(self._complaints))

    def on_jiti_app_arrived(self, event: Arrived) -> None:
        """Show a snapshot; the end of the session ends the program."""
        if event.snapshot.phase is Phase.CLOSED:
            self.end(Exit.DONE)
        else:
            self._session_screen.receive(event.snapshot)

    def on_resize(self) -> None:
        """Forget what the terminal shows: terminals differ in what they keep when their size changes."""
        self._forget_display()

    def _forget_display(self) -> None:
        if isinstance(self._driver, PromptDriver):
            self._driver.forget_display()

    def on_session_screen_turned(self, event: SessionScreen.Turned) -> None:
        """Say in the terminal's title whose turn it is, and ring once."""
        self._entitle("! " if event.operators_turn else "")
        if event.rings and event.operators_turn:
            self.bell()

    async def on_session_screen_sent(self, event: SessionScreen.Sent) -> None:
        """Do what a key asks of the terminal."""
        match event.errand:
            case OpenFile() as target:
                await self._edit(target)
            case CopyText() as text:
                done = copied(text, os.environ)
                if done.sequence and self._driver is not None:
                    self._driver.write(done.sequence)
                self._session_screen.tell(done.notice)
            case UseTheme(name):
                theme = self._wardrobe.take(name)
                if isinstance(theme, str):
                    self._session_screen.warn(theme)
                else:
                    self._session_screen.wear(theme.roles)
            case Repaint():
                self._forget_display()
                self._session_screen.repaint()
            case Suspend() if not self._has_terminal:
                self._session_screen.warn(_NO_TERMINAL)
            case Suspend():
                self.action_suspend_process()

    @property
    def _has_terminal(self) -> bool:
        return self._driver is not None and self._driver.can_suspend

    async def _edit(self, target: OpenFile) -> None:
        """Give the terminal to the operator's editor until it ends; the session goes on meanwhile, unseen."""
        path = inside_folder(self._folder, target.file)
        command = editor_command(path, target.line, os.environ) if path is not None else []
        if not self._has_terminal:
            said = _NO_TERMINAL
        elif path is None:
            said = f"{target.file} is not in the world folder."
        else:
            said = "" if command else "No editor is known: set EDITOR."
        if said:
            self._session_screen.warn(said)
            return
        with self.suspend(), self.batch_update():
            # An error that left this block would leave the terminal suspended.
            said = await self._run_editor(command)
        self._session_screen.repaint()
        if said:
            self._session_screen.warn(said)

    async def _run_editor(self, command: list[str]) -> str:
        """Run the editor to its end; return a sentence about what went wrong, "" where nothing did."""
        try:
            self._editor = await asyncio.create_subprocess_exec(*command)
            code = await self._editor.wait()
        except OSError as error:
            return f"{command[0]} cannot be started: {error.strerror}."
        finally:
            self._editor = None
        return f"{command[0]} ended with the code {code}." if code else ""

    def on_session_screen_quitting(self) -> None:
        """The operator chose to quit."""
        self.end(Exit.DONE)

    def action_leave(self) -> None:
        """Quit; it never asks, since nothing accepted can be lost."""
        self.end(Exit.DONE)

    def end(self, code: Exit) -> None:
        """End the session and the program, with the exit code of the first call; leave the terminal as it was found."""
        if self._ended:
            return
        self._ended = True
        if self._editor is not None:
            self._editor.terminate()
        self._engine.send(Quit())
        self._write_title(_POP_TITLE)
        self.exit(code)

    @property
    def defect(self) -> BaseException | None:
        """The error that nothing in the screen has caught, None where there was none."""
        return self._exception

    def _fatal_error(self) -> None:
        # Textual would print where the error came from, with the values there, over the operator's shell.
        self.end(Exit.WORKER)
        self._close_messages_no_wait()

    def _entitle(self, mark: str) -> None:
        world = literal(self._engine.snapshot.world, ascii_only=self._glyphs.ascii_only)
        self._write_title(f"\x1b]0;{mark}{world}\x07")

    def _write_title(self, sequence: str) -> None:
        """Write what concerns the terminal's title; the Linux console has none and would print it."""
        if self._driver is not None and os.environ.get("TERM") != "linux":
            self._driver.write(sequence)
