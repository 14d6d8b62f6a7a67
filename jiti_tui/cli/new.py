"""`jiti-tui new`: a world that runs, to be changed into one's own."""

from __future__ import annotations

import argparse
import shlex
from pathlib import Path

from jiti_tui.cli.plain import one_line
from jiti_tui.cli.streams import say
from jiti_tui.errors import Exit, UsageError
from jiti_tui.world.template import template_files


def main(arguments: argparse.Namespace) -> int:
    """Write the files into a directory that is not there yet, or empty, and say the next step."""
    directory: Path = arguments.directory
    try:
        if directory.exists() and (not directory.is_dir() or any(directory.iterdir())):
            raise UsageError(f"{directory} is there and not empty. Give a directory that is new.")
        directory.mkdir(parents=True, exist_ok=True)
        files = template_files(directory.resolve().name)
        for name, text in files.items():
            with (directory / name).open("x", encoding="utf-8") as file:
                file.write(text)
    except OSError as error:
        raise UsageError(f"The world cannot be written: {error.strerror} ({error.filename}).") from error
    world = shlex.quote(str(directory))
    say(f"Wrote {one_line(str(directory))}: {', '.join(files)}.")
    say(f"Next: jiti-tui {world} opens it; without a model's key, p plays the recorded answers.")
    say(f"Then: change goals.lisp and the requests of world.toml; jiti-tui check {world} says what is wrong with them.")
    return Exit.DONE
