"""Reading what may be no file at all."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from jiti_tui.regular_file import read_regular


def test_a_file_is_read_up_to_a_bound(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"abc")
    (tmp_path / "link").symlink_to(path)
    assert read_regular(path, 10) == b"abc"
    assert read_regular(tmp_path / "link", 2) == b"ab"


def test_what_is_no_file_is_none_and_nothing_waits_for_it(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    os.mkfifo(tmp_path / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(tmp_path / "socket"))
    before = len(list(Path("/proc/self/fd").iterdir()))
    for name in ("folder", "nothing", "file/below", "loop", "pipe", "socket"):
        assert read_regular(tmp_path / name, 10) is None
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_other_errors_are_raised(tmp_path: Path) -> None:
    with pytest.raises(OSError, match="File name too long"):
        read_regular(tmp_path / ("x" * 1000), 10)
