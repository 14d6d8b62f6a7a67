from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from jiti_tui.world.folder import World, read_world


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    path = tmp_path / "bank"
    path.mkdir()
    return path


@pytest.fixture
def write(folder: Path) -> Callable[..., World]:
    """Write files into the world folder and read it: `write(toml, {"goals.lisp": "..."})`."""

    def write_files(toml: str, files: dict[str, str | bytes] | None = None) -> World:
        for name, content in {"world.toml": toml, **(files or {})}.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return read_world(folder)

    return write_files
