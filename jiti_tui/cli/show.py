"""`jiti-tui show`: one revision, how it came about and what it holds. Works beside a session."""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from datetime import UTC, datetime

from jiti_tui.cli.held import held
from jiti_tui.cli.plain import one_line, plain
from jiti_tui.cli.streams import say
from jiti_tui.engine.queries.contents import Contents
from jiti_tui.engine.records.evidence_lines import evidence_lines
from jiti_tui.errors import Exit
from jiti_tui.store.manifest import Manifest
from jiti_tui.store.store import Store
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Print the revision. Raises StoreError when there is none, or it is damaged."""
    world = read_world(arguments.world, arguments.store)
    store = Store.open(world.store, read_only=True)
    revision = store.read(arguments.revision)
    (found,) = held(world, [revision])
    live = store.pointer() == arguments.revision
    if arguments.json:
        say(json.dumps(_fields(revision.manifest, found, live=live)))
        return Exit.DONE
    for line in _lines(revision.manifest, found, live=live):
        say(line)
    return Exit.DONE


def _fields(manifest: Manifest, found: Contents, *, live: bool) -> dict[str, object]:
    return {
        "revision": manifest.revision,
        "parent": manifest.parent,
        "id": manifest.id,
        "current": live,
        "generation": manifest.generation,
        "time": _time(manifest.time),
        "summary": manifest.summary,
        "origin": manifest.origin,
        "request": manifest.request,
        "goals_met": manifest.goals[0],
        "goals": manifest.goals[1],
        "sbcl": manifest.sbcl,
        "kernel": manifest.kernel,
        "jiti": manifest.jiti,
        "base": dict(manifest.base),
        "files": [{"name": file.name, "bytes": file.size, "sha256": file.sha256} for file in manifest.files],
        "holds": [{"kind": kind, "name": name, "text": text} for (kind, name), text in found.items()],
        "events": list(manifest.events),
    }


def _lines(manifest: Manifest, found: Contents, *, live: bool) -> Iterator[str]:
    met, total = manifest.goals
    yield f"revision {manifest.revision}{', live' if live else ''}"
    fields = {
        "id": manifest.id,
        "parent": "none" if manifest.parent is None else str(manifest.parent),
        "accepted": f"{_time(manifest.time)}, generation {manifest.generation}",
        "by": manifest.origin,
        "request": manifest.request or "none",
        "goals": f"{met} of {total} met",
        "changes": manifest.summary,
        "made with": f"SBCL {manifest.sbcl}, kernel {manifest.kernel[:12]}, jiti-tui {manifest.jiti or 'unknown'}",
    }
    for name, value in fields.items():
        yield f"  {name:<10} {one_line(value, 400)}"
    yield from _section("How it came about", map(plain, evidence_lines(manifest.events)))
    yield from _section("What it holds", _texts(found))


def _texts(found: Contents) -> Iterator[str]:
    for (kind, name), text in found.items():
        yield f"{one_line(kind)} {one_line(name)}"
        yield from (f"    {line}" for line in plain(text).splitlines())


def _section(title: str, lines: Iterator[str]) -> Iterator[str]:
    found = list(lines)
    if found:
        yield ""
        yield title
        yield from (f"  {line}" for line in found)


def _time(time: float) -> str:
    return datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
