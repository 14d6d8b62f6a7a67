"""Pruning: old revisions go, in an order that leaves no doubt about what was removed on purpose."""

from __future__ import annotations

from jiti_tui.store.files import Files, Handle
from jiti_tui.store.history import read_manifest
from jiti_tui.store.layout import PRUNED, PRUNED_NEXT, revision_name, revision_numbers
from jiti_tui.store.pruned import Pruned
from jiti_tui.store.removal import remove_tree
from jiti_tui.store.replacing import replace_file


def prune(files: Files, root: Handle, lowest: int) -> Pruned:
    """Remove the revisions below `lowest`, which must be there with a manifest and not above the accepted one.

    First `pruned.sexp` says so and is on disk; only then anything is removed, and recovery removes what an interrupted
    one has left. Raises OSError, and StoreDamaged when the manifest before `lowest` is not what was written.
    """
    before = read_manifest(files, root.path, lowest - 1, evidence=False)
    pruned = Pruned(lowest, before.id)
    replace_file(files, root, PRUNED_NEXT, PRUNED, pruned.content())
    finish_pruning(files, root, pruned)
    return pruned


def finish_pruning(files: Files, root: Handle, pruned: Pruned) -> int:
    """Remove the revisions that `pruned` says are gone and that are still there; how many those were."""
    left = [number for number in revision_numbers(files, root.path) if number < pruned.lowest]
    for number in left:
        remove_tree(files, root.path / revision_name(number))
    if left:
        files.flush_together(root)
    return len(left)
