"""The revision history as the screen shows it."""

from __future__ import annotations

from collections.abc import Iterable

from jiti_tui.engine.interface.snapshot import RevisionRow
from jiti_tui.store.manifest import Manifest


def revision_row(manifest: Manifest, *, live: bool) -> RevisionRow:
    """One revision; `live` says that it is the accepted one."""
    return RevisionRow(
        number=manifest.revision,
        parent=manifest.parent,
        summary=manifest.summary,
        request=manifest.request,
        origin=manifest.origin,
        goals=manifest.goals,
        time=manifest.time,
        generation=manifest.generation,
        live=live,
    )


def revision_rows(manifests: Iterable[Manifest], current: int) -> tuple[RevisionRow, ...]:
    """All revisions, newest first."""
    newest_first = sorted(manifests, key=lambda manifest: -manifest.revision)
    return tuple(revision_row(manifest, live=manifest.revision == current) for manifest in newest_first)
