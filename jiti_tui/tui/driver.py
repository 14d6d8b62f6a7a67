"""Textual's driver for Linux, with five changes.

- It writes to standard output. Textual writes to standard error: where that goes to a file, nobody sees the screen.
- It writes the difference between frames, which `Display` works out, instead of whole frames.
- Its input thread ends when it is told to. Textual's looks for that ten times a second, and then once more for input:
  leaving the program would wait for up to 0.2 s.
- The mouse tells of buttons and the wheel. Textual has it tell of every move: over SSH, a stream of bytes for nothing.
- A terminal that has gone ends the program as SIGHUP does, where nobody sends that signal. Textual would go on.
"""

from __future__ import annotations

import os
import selectors
import signal
import sys
from codecs import getincrementaldecoder
from typing import Any

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from jiti_tui.tui.terminal.abilities import abilities_of
from jiti_tui.tui.terminal.display import Display
from jiti_tui.tui.terminal.output import Output

_TICK_SECONDS = 0.1
"""How long the parser waits for the rest of an escape sequence, as Textual's own does."""
_READ_BYTES = 4096

_ALT_ENTER, _ALT_ENTER_TOLD = "\x1b\r", "\x1b[13;3u"
"""As most terminals write it, which Textual's parser takes for Enter; and as the keyboard protocol of kitty has it."""

_BUTTONS, _SGR, _SGR_PIXELS = 1000, 1006, 1016
"""Private modes of xterm's control sequences: buttons and the wheel; told as numbers, of cells or of pixels."""


class PromptDriver(LinuxDriver):
    """The driver of a screen in a terminal."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        assert sys.__stdout__ is not None
        output: Any = Output(sys.__stdout__)
        self._file = output  # of which Textual uses what `Output` has
        self._woken, self._waker = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        self._display = Display(abilities_of(os.environ.get("TERM", "")))

    def write(self, data: str) -> None:
        """Write `data`; of a frame, what the terminal does not show already."""
        super().write(self._display.shortened(data, *self._app.size))

    def forget_display(self) -> None:
        """Write the next frames whole: the terminal may show something else than what was written."""
        self._display.forget()

    def _enable_mouse_support(self) -> None:
        if self._mouse:
            self.write(f"\x1b[?{_BUTTONS}h\x1b[?{_SGR}h")

    def _disable_mouse_support(self) -> None:
        if self._mouse:
            pixels = f"\x1b[?{_SGR_PIXELS}l" if self._mouse_pixels else ""
            self.write(f"{pixels}\x1b[?{_BUTTONS}l\x1b[?{_SGR}l")

    def disable_input(self) -> None:
        """Wake the thread; the base then tells it to end, and waits for it."""
        stops = not self.exit_event.is_set()
        if stops and self._key_thread is not None and self._key_thread.is_alive():
            self.exit_event.set()
            os.write(self._waker, b"\0")
            self._key_thread.join()
            self.exit_event.clear()
        super().disable_input()

    def _run_input_thread(self) -> None:
        # Textual would print where a defect comes from over the operator's shell.
        try:
            self.run_input_thread()
        except Exception as error:
            self._app.call_later(self._app._handle_exception, error)

    def run_input_thread(self) -> None:
        """Hand on what is typed until the thread is woken to end; a terminal that goes before that ends the program."""
        parser, decode = XTermParser(self._debug), getincrementaldecoder("utf-8")(errors="replace").decode
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                ready = {key.fd for key, _ in selector.select(_TICK_SECONDS)}
                if self._woken in ready:
                    os.read(self._woken, _READ_BYTES)
                if self.fileno in ready:
                    typed = self._read()
                    if not typed:
                        os.kill(os.getpid(), signal.SIGHUP)
                        return
                    text = decode(typed).replace(_ALT_ENTER, _ALT_ENTER_TOLD)
                    # Of half a character there is no text yet, which the parser would take for the end.
                    for event in parser.feed(text) if text else ():
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)

    def _read(self) -> bytes:
        """Return what was typed, nothing once the terminal has gone: Linux then ends its input, or fails with EIO."""
        try:
            return os.read(self.fileno, _READ_BYTES)
        except OSError:
            return b""
