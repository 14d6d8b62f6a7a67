"""Standard output under the screen's writes: never given up while somebody reads, never waited for when nobody does."""

from __future__ import annotations

import os
import threading

from jiti_tui.tui.terminal.output import Output

LONG = "ö" * 200_000
"""More than a pipe holds."""


def test_all_is_written_though_another_program_has_made_the_terminal_non_blocking() -> None:
    reading, writing = os.pipe2(os.O_NONBLOCK)
    os.set_blocking(reading, True)
    with os.fdopen(writing, "w", encoding="utf-8") as stream:
        written = threading.Thread(target=Output(stream).write, args=(LONG,))
        written.start()
        read = b""
        while len(read) < len(LONG.encode()):
            read += os.read(reading, 65536)
        written.join(20)
    os.close(reading)
    assert read.decode() == LONG


def test_a_terminal_that_has_gone_is_written_to_in_vain() -> None:
    terminal, program = os.openpty()
    os.close(terminal)
    with os.fdopen(program, "w", encoding="utf-8") as stream:
        Output(stream).write("lost")
