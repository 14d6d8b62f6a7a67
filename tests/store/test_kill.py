"""A process is killed at every file operation of a store's life, and another one opens the store."""

from __future__ import annotations

import os
import signal
import traceback
from pathlib import Path

from fakes.faulty_files import KilledFiles
from fakes.store_story import Story, check_survival


def played_in_a_child(directory: Path, at: int) -> tuple[Story, int]:
    """Play the story in a process that is killed at operation `at`; return what it told, and its exit status."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            told = os.fdopen(writing, "w", buffering=1)
            Story(tell=lambda line: print(line, file=told)).play(directory, KilledFiles(at))
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        lines = [line.split() for line in told]
    story = Story()
    for what, revision in lines:
        setattr(story, what, int(revision))
    return story, os.waitpid(child, 0)[1]


def test_killed_at_every_operation(tmp_path: Path) -> None:
    at = 0
    status = -signal.SIGKILL
    while status != 0:
        at += 1
        directory = tmp_path / f"at-{at}"
        story, status = played_in_a_child(directory, at)
        assert status == 0 or os.WTERMSIG(status) == signal.SIGKILL
        check_survival(directory, story)
    assert at > 80
