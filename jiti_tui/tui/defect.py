"""What is told of a defect of the screen itself: a sentence, and a file with all that whoever mends it needs."""

from __future__ import annotations

import traceback
from collections.abc import Mapping

from jiti_tui.places import state_folder
from jiti_tui.tui.private_file import write_private
from jiti_tui.tui.text.literal import literal

LONGEST_TOLD = 200
"""Characters of the error's own words in the sentence; they may hold what others wrote."""


def told_defect(error: BaseException, environ: Mapping[str, str]) -> str:
    """Write where `error` came from to `defect.txt` in the state folder; return a sentence that says so."""
    path = state_folder(environ) / "defect.txt"
    words = literal(f"{type(error).__name__}: {error}"[:LONGEST_TOLD])
    try:
        write_private(path, "".join(traceback.format_exception(error)))
        where = f"Please report it with {path}"
    except OSError as failure:
        where = f"{path} cannot be written: {failure.strerror}"
    return f"A defect of the screen has ended it: {words}. What was accepted is on disk. {where}."
