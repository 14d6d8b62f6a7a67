"""What of the history was pruned: `pruned.sexp` names the lowest revision that is kept, and the identity before it.

It is sealed as a manifest is, since what it says is removed is gone.
"""

from __future__ import annotations

from pathlib import Path

from jiti_tui.errors import StoreDamaged
from jiti_tui.frozen import frozen
from jiti_tui.sexp import dumps, loads, plist
from jiti_tui.store.fields import Fields
from jiti_tui.store.files import Files
from jiti_tui.store.layout import PRUNED
from jiti_tui.store.sealing import sealed, unsealed


@frozen
class Pruned:
    """Revisions below `lowest` were removed on purpose; `parent_id` is the identity of the last of them."""

    lowest: int = 0
    parent_id: str | None = None

    def content(self) -> bytes:
        """What `pruned.sexp` holds."""
        return sealed(f"(:lowest {self.lowest} :parent-id {dumps(self.parent_id)})\n".encode())


def read_pruned(files: Files, root: Path) -> Pruned:
    """What was pruned so far; nothing where the file is missing. Raises StoreDamaged when it was not written so."""
    path = root / PRUNED
    if not files.exists(path):
        return Pruned()
    try:
        fields = Fields(plist(loads(unsealed(files.read(path)).decode("utf-8", "surrogatepass"))))
        return Pruned(fields.integer("lowest"), fields.text("parent_id"))
    except OSError as error:
        raise StoreDamaged(f"{path} does not read: {error.strerror}.") from error
    except ValueError as error:
        raise StoreDamaged(f"{path} is damaged: it {error}.") from error
