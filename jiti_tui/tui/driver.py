"""Textual's driver for Linux: it writes what has changed alone, its input thread ends when it is told to, and the mouse
tells of its buttons alone.

Textual's own writes to standard error. Where that goes to a file the screen would stay empty, and its keys would act.

The end of a session waits for the thread. Textual's own looks for its end ten times a second, and then once more for
input, which takes up to 0.2 s. Its mouse tells of every move besides, which over SSH is a stream of bytes for nothing.
"""

from __future__ import annotations

import os
import selectors
import signal
import sys
from codecs import getincrementaldecoder
from contextlib import suppress
from typing import Any, TextIO

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

from jiti_tui.tui.terminal.abilities import abilities_of
from jiti_tui.tui.terminal.display import Display

_TICK_SECONDS = 0.1
"""How long the parser waits for the rest of an escape sequence, as Textual's own does."""
_READ_BYTES = 4096

_ALT_ENTER, _ALT_ENTER_TOLD = "\x1b\r", "\x1b[13;3u"
"""As most terminals write it, which Textual's parser takes for Enter; and as the keyboard protocol of kitty has it."""

_BUTTONS, _SGR, _SGR_PIXELS = 1000, 1006, 1016
"""Private modes of xterm's control sequences: buttons and the wheel; told as numbers, of cells or of pixels."""


class _Output:
    """Standard output for Textual's thread that writes. What is written to a terminal that has gone is dropped.

    An error would end that thread, and the next write but a few would wait for it for ever.
    """

    def __init__(self, stream: TextIO) -> None:
        self._descriptor, self._encoding = stream.fileno(), stream.encoding

    def fileno(self) -> int:
        return self._descriptor

    def write(self, text: str) -> None:
        left = memoryview(text.encode(self._encoding, "replace"))
        with suppress(OSError):
            while left:
                left = left[os.write(self._descriptor, left) :]

    def flush(self) -> None:
        """Nothing is kept back."""


class PromptDriver(LinuxDriver):
    """The driver of a screen in a terminal."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        assert sys.__stdout__ is not None
        output: Any = _Output(sys.__stdout__)
        self._file = output  # of which Textual uses what `_Output` has
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
