"""Power is lost at every operation of a store's life; what comes back is what was reported, whole, or one newer."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from fakes.faulty_files import QuickFiles
from fakes.power import PowerFiles, PowerLost, Remains, chances, restart
from fakes.store_story import Story, check_survival

from jiti_tui.store.store import Store

REMAINS = {
    "nothing": lambda at: lambda: False,
    "everything": lambda at: lambda: True,
    "any part": chances,
}
"""What may be left of the changes that were not flushed, by the number of the operation."""


def cut_off(files: PowerFiles, play: Callable[[], None]) -> bool:
    """Whether power was lost before `play` came to its end."""
    try:
        play()
    except PowerLost:
        return True
    return False


def test_power_lost_at_every_operation(tmp_path: Path) -> None:
    at = 0
    lost = True
    checked: list[tuple[Remains, Story]] = []
    while lost:
        at += 1
        top = tmp_path / f"at-{at}"
        top.mkdir()
        files, story = PowerFiles(top, at), Story()
        lost = cut_off(files, lambda top=top, files=files, story=story: story.play(top / "store", files))
        for left, remain in REMAINS.items():
            remains = files.disk.remains(remain(at))
            # The lock names a time, so it is never the same.
            case = {path: content for path, content in remains.items() if path.name != "lock"}, story
            if case not in checked:
                checked.append(case)
                target = tmp_path / f"at-{at}, {left} left"
                restart(remains, target)
                check_survival(target / "store", story)
                shutil.rmtree(target)
        shutil.rmtree(top)
    assert at > 80
    assert len(checked) > 100


def debris(directory: Path) -> Story:
    """A store as a crash leaves it: a revision begun, its manifest half written, a record torn."""
    story = Story()
    story.play(directory, QuickFiles())
    store = Store.open(directory, files=QuickFiles())
    store.append({"event": "session"})
    store.stage(4, "(defun lost () 1)\n", "")
    (directory / "revision-4" / "manifest.sexp").write_bytes(b'(:seal "')
    with (directory / "events.sexp").open("ab") as log:
        log.write(b"0badf00d (:event")
    shutil.copytree(directory, directory.with_name("copy"))
    store.close()
    shutil.rmtree(directory)
    directory.with_name("copy").rename(directory)
    return story


@pytest.mark.parametrize("left", REMAINS)
def test_recovery_of_a_recovery_that_lost_power(tmp_path: Path, left: str) -> None:
    at = 0
    lost = True
    while lost:
        at += 1
        top = tmp_path / f"at-{at}"
        top.mkdir()
        story = debris(top / "store")
        files = PowerFiles(top, at)
        lost = cut_off(files, lambda top=top, files=files: Store.open(top / "store", files=files).close())
        target = tmp_path / f"at-{at}-left"
        restart(files.disk.remains(REMAINS[left](at)), target)
        check_survival(target / "store", story)
        kept = [path for path in (target / "store" / "archive").iterdir() if path.name.startswith("events.sexp-torn")]
        assert any(path.read_bytes() == b"0badf00d (:event" for path in kept)
    assert at > 10
