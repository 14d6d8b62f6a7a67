"""Textual's driver for Linux, with an input thread that ends when it is told to: the end of a session waits for it.

Textual's own looks for its end ten times a second, and then once more for input, which takes up to 0.2 s.
"""

from __future__ import annotations

import os
import selectors
from codecs import getincrementaldecoder
from typing import Any

from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

_TICK_SECONDS = 0.1
"""How long the parser waits for the rest of an escape sequence, as Textual's own does."""
_READ_BYTES = 4096


class PromptDriver(LinuxDriver):
    """Differs from its base in `run_input_thread` alone, and in what wakes that."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._woken, self._waker = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)

    def disable_input(self) -> None:
        """Wake the thread; the base then tells it to end, and waits for it."""
        stops = not self.exit_event.is_set()
        if stops and self._key_thread is not None and self._key_thread.is_alive():
            self.exit_event.set()
            os.write(self._waker, b"\0")
            self._key_thread.join()
            self.exit_event.clear()
        super().disable_input()

    def run_input_thread(self) -> None:
        """Read what is typed and hand it on as events, until the thread is woken to end."""
        parser, decode = XTermParser(self._debug), getincrementaldecoder("utf-8")(errors="replace").decode
        with selectors.DefaultSelector() as selector:
            selector.register(self.fileno, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while not self.exit_event.is_set():
                ready = {key.fd for key, _ in selector.select(_TICK_SECONDS)}
                if self._woken in ready:
                    os.read(self._woken, _READ_BYTES)
                if self.fileno in ready:
                    text = decode(os.read(self.fileno, _READ_BYTES))
                    if not text:
                        return
                    for event in parser.feed(text):
                        self.process_message(event)
                for event in parser.tick():
                    self.process_message(event)
