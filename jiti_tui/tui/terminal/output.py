"""Standard output as the thread writes to it in which Textual writes."""

from __future__ import annotations

import os
import select
from typing import TextIO


class Output:
    """What is written to a terminal that has gone is dropped: the input tells of that.

    An error would end Textual's thread, whose queue then fills, and the screen would wait for it for ever.
    """

    def __init__(self, stream: TextIO) -> None:
        self._descriptor, self._encoding = stream.fileno(), stream.encoding

    def fileno(self) -> int:
        """Return the stream's descriptor."""
        return self._descriptor

    def write(self, text: str) -> None:
        """Write all of `text`."""
        left = memoryview(text.encode(self._encoding, "replace"))
        while left:
            try:
                left = left[os.write(self._descriptor, left) :]
            except BlockingIOError:
                # Another program on this terminal has made it so, and has not undone that.
                select.select([], [self._descriptor], [])
            except OSError:
                return

    def flush(self) -> None:
        """Do nothing: all has been written."""
