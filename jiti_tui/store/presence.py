"""Whether there is a store at all: a world that has never been opened has none."""

from __future__ import annotations

from pathlib import Path

from jiti_tui.errors import StoreError
from jiti_tui.store.failures import telling


def is_there(directory: Path) -> bool:
    """Whether something stands where the store has its place. Raises StoreError when that cannot be seen."""
    with telling(f"The store {directory} cannot be read"):
        return directory.exists()


def require(directory: Path) -> None:
    """Raises StoreError when there is no store at `directory`."""
    if not is_there(directory):
        raise StoreError(f"{directory} does not exist: the world has not been opened yet.")
