"""Textual's driver for a screen that is shown in a browser: its terminal is two pipes, and can go like any other."""

from __future__ import annotations

import os
import signal
from functools import partial
from typing import Any

from textual.drivers.web_driver import WebDriver

_EVERY_MOVE, _BUTTONS, _SGR = 1003, 1000, 1006
"""Private modes of xterm's control sequences: what the mouse tells, and that it tells it as numbers of cells."""


class BrowserDriver(WebDriver):
    """Differs from its base where the server goes away, and in the modes of the mouse."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._write = partial(self._write_whole)

    def start_application_mode(self) -> None:
        """Start; of the mouse, buttons and the wheel are told, if anything."""
        super().start_application_mode()
        self.write(f"\x1b[?{_EVERY_MOVE}l")
        if self._mouse:
            self.write(f"\x1b[?{_BUTTONS}h\x1b[?{_SGR}h")

    def _enable_mouse_support(self) -> None:
        """Nothing yet: the base asks for every move afterwards in any case."""

    def run_input_thread(self) -> None:
        """Hand on what is typed until the screen ends. A pipe that ends first is a terminal that has gone."""
        super().run_input_thread()
        if not self.exit_event.is_set():
            os.kill(os.getpid(), signal.SIGHUP)

    def _write_whole(self, data: bytes) -> int:
        """Write all of `data`; where nobody reads any more, nothing: the input tells that too."""
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self.fileno, left) :]
        except BrokenPipeError:
            pass
        return len(data)
