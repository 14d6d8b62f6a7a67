"""Publishing: how a revision gets on disk so that it is there wholly or not at all."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path, PurePosixPath
from types import MappingProxyType

from jiti_tui.errors import StoreDamaged, StoreUncertain
from jiti_tui.frozen import frozen
from jiti_tui.store.current import pointer, read_pointer
from jiti_tui.store.files import Files, Handle
from jiti_tui.store.history import read_entry
from jiti_tui.store.layout import CURRENT, MANIFEST, NEXT, revision_name
from jiti_tui.store.manifest import FileEntry, Manifest, bounded, revision_id, seal
from jiti_tui.store.record import Record
from jiti_tui.store.removal import remove_tree
from jiti_tui.store.waves import flush_in_waves, new_file


@frozen
class Kept:
    """A file of the accepted `revision` that is taken over as it is."""

    entry: FileEntry
    revision: int


@frozen
class Staged:
    """A revision whose files are on disk, without a manifest and not accepted."""

    revision: int
    parent: int | None
    id: str
    files: tuple[FileEntry, ...]

    def manifest(
        self,
        *,
        generation: int,
        request: str,
        transcript_line: int,
        sbcl: str,
        kernel: str,
        base: Mapping[str, str],
        events: Iterable[Record],
        time: float,
        summary: str,
        origin: str,
        goals: tuple[int, int],
    ) -> Manifest:
        """The manifest with which this revision is published; see `Manifest` for the fields."""
        return Manifest(
            revision=self.revision,
            parent=self.parent,
            id=self.id,
            generation=generation,
            request=request,
            transcript_line=transcript_line,
            sbcl=sbcl,
            kernel=kernel,
            base=base,
            files=self.files,
            events=bounded(events),
            time=time,
            summary=summary,
            origin=origin,
            goals=goals,
        )


class Publisher:
    """Stages and publishes revisions in a store whose lock is held; one staged revision at a time.

    The order is what makes it safe, see docs/store.md. Methods raise OSError when nothing was published and the next
    `stage` can try again with new files, and StoreUncertain when it is unknown whether the revision is on disk: from
    then on everything raises that.
    """

    def __init__(self, files: Files, root: Handle, accepted: Manifest | None) -> None:
        self.accepted = accepted
        self._files = files
        self._root = root
        self._staged: tuple[Staged, Handle] | None = None
        self._uncertain = ""

    def stage(
        self, revision: int, contents: Mapping[str, bytes], kept: Mapping[str, Kept] = MappingProxyType({})
    ) -> Staged:
        """Write the files of the next revision and flush them: one wait, and before that one for each wave of the
        world's files.

        `contents` maps paths in the revision's directory, with slashes, to what belongs there; `kept` maps others to
        what lies there already, in an accepted revision: those become links. What was staged before and not published
        is dropped. A file that is equal to the accepted revision's becomes a link to it, too.
        """
        self.refuse_if_uncertain()
        parent = self.accepted
        if revision != (0 if parent is None else parent.revision + 1):
            raise ValueError(f"revision {revision} cannot follow {parent.revision if parent else 'an empty store'}")
        self._drop(revision)
        entries = {name: FileEntry.of(name, content) for name, content in contents.items()}
        entries |= {name: file.entry for name, file in kept.items()}
        try:
            manifest = self._write_all(revision, contents, entries, kept)
        except OSError:
            # A full disk must not stay full of it. What cannot be removed either goes with the next one or to archive/.
            with suppress(OSError):
                self._drop(revision)
            raise
        listed = tuple(entries.values())
        identity = revision_id(revision, parent.id if parent else None, listed)
        staged = Staged(revision, parent.revision if parent else None, identity, listed)
        self._staged = staged, manifest
        return staged

    def publish(self, staged: Staged, manifest: Manifest) -> None:
        """Make `staged` the accepted revision, with the `manifest` that it made: two waits.

        When this returns, the revision survives anything.
        """
        self.refuse_if_uncertain()
        if self._staged is None or self._staged[0] is not staged:
            raise ValueError("what is published must be what was staged last, once")
        if (manifest.revision, manifest.id, manifest.files) != (staged.revision, staged.id, staged.files):
            raise ValueError("the manifest is not of the staged revision")
        handle = self._staged[1]
        self._staged = None
        try:
            self._files.write(handle, seal(manifest))
            self._files.flush_together(handle)
        finally:
            self._files.close(handle)
        self._replace_pointer(staged.revision)
        try:
            self._files.flush_together(self._root)
        except OSError as error:
            raise self._now_uncertain(staged.revision, error) from error
        self.accepted = manifest

    def discard(self, staged: Staged) -> None:
        """Remove what was staged; nothing happens when it is gone already."""
        if self.accepted is not None and staged.revision <= self.accepted.revision:
            raise ValueError(f"revision {staged.revision} is accepted")
        self._drop(staged.revision)

    def close(self) -> None:
        """Remove what is staged, if anything is and nothing is uncertain."""
        if self._staged is not None and not self._uncertain:
            self._drop(self._staged[0].revision)

    def refuse_if_uncertain(self) -> None:
        """Raise StoreUncertain when a revision may or may not be on disk."""
        if self._uncertain:
            raise StoreUncertain(self._uncertain)

    def _write_all(
        self,
        revision: int,
        contents: Mapping[str, bytes],
        entries: Mapping[str, FileEntry],
        kept: Mapping[str, Kept],
    ) -> Handle:
        """Write and flush the files of `revision` and the next CURRENT; return the empty manifest, open."""
        directory = self._root.path / revision_name(revision)
        self._files.make_directory(directory)
        self._write_below(directory, contents, entries, kept)
        with ExitStack() as failed, ExitStack() as written:
            flush = [self._root]
            for name, content in contents.items():
                if "/" not in name and not self._linked(directory / name, entries[name], content):
                    flush.append(self._write(directory / name, content, written))
            flush.append(self._write(self._root.path / NEXT, pointer(revision), written))
            # The manifest gets its name now, so that only its content has to be flushed after consent.
            manifest = self._files.create(directory / MANIFEST)
            failed.callback(self._files.close, manifest)
            flush.append(self._files.open_directory(directory))
            written.callback(self._files.close, flush[-1])
            self._files.flush_together(*flush)
            written.close()
            failed.pop_all()
        return manifest

    def _write_below(
        self,
        directory: Path,
        contents: Mapping[str, bytes],
        entries: Mapping[str, FileEntry],
        kept: Mapping[str, Kept],
    ) -> None:
        """Write and flush what lies in folders of `directory`, and then the folders."""
        below = [name for name in entries if "/" in name]
        folders = sorted({parent for name in below for parent in PurePosixPath(name).parents} - {PurePosixPath()})
        for folder in folders:
            self._files.make_directory(directory / folder)

        def written(path: Path) -> Handle | None:
            name = path.relative_to(directory).as_posix()
            if name in kept:
                return self._kept(path, kept[name])
            if self._linked(path, entries[name], contents[name]):
                return None
            return new_file(self._files, path, contents[name])

        flush_in_waves(self._files, (directory / name for name in below), written)
        flush_in_waves(self._files, (directory / folder for folder in folders), self._files.open_directory)

    def _write(self, path: Path, content: bytes, written: ExitStack) -> Handle:
        handle = new_file(self._files, path, content)
        written.callback(self._files.close, handle)
        return handle

    def _kept(self, path: Path, file: Kept) -> Handle | None:
        """Link `path` to a file of an accepted revision without reading it; where links are refused, copy it."""
        directory = self._root.path / revision_name(file.revision)
        source = directory / file.entry.name
        if self._files.length(source) != file.entry.size:
            raise StoreDamaged(f"{source} has not the {file.entry.size} bytes that its manifest lists.")
        try:
            self._files.link(source, path)
        except OSError:
            # A network disk can report an error for what it has done.
            if self._files.exists(path):
                return None
            return new_file(self._files, path, read_entry(self._files, directory, file.entry))
        return None

    def _linked(self, path: Path, entry: FileEntry, content: bytes) -> bool:
        """Link `path` to the accepted revision's file if that holds the same bytes; False if it must be written."""
        if self.accepted is None or self.accepted.file(entry.name) != entry:
            return False
        source = self._root.path / revision_name(self.accepted.revision) / entry.name
        try:
            if self._files.read(source) != content:
                return False
            self._files.link(source, path)
        except OSError:
            # A refused link, or a damaged original, costs a copy.
            # But a network disk can report an error for what it has done.
            return self._files.exists(path) and self._files.read(path) == content
        return True

    def _replace_pointer(self, revision: int) -> None:
        root = self._root.path
        try:
            self._files.rename(root / NEXT, root / CURRENT)
        except OSError as error:
            # A network disk can report an error for what it has done, so CURRENT decides.
            try:
                now = read_pointer(self._files, root)
            except (OSError, StoreDamaged):
                raise self._now_uncertain(revision, error) from error
            if now != revision:
                raise

    def _drop(self, revision: int) -> None:
        """Remove CURRENT.tmp and the files of a revision above the accepted one, as far as they are there."""
        self.refuse_if_uncertain()
        if self._staged is not None:
            handle = self._staged[1]
            self._staged = None
            self._files.close(handle)
        pending, directory = self._root.path / NEXT, self._root.path / revision_name(revision)
        if self._files.exists(pending):
            self._files.remove(pending)
        if self._files.is_directory(directory):
            remove_tree(self._files, directory)

    def _now_uncertain(self, revision: int, error: OSError) -> StoreUncertain:
        self._uncertain = (
            f"Revision {revision} may or may not be on disk ({error.strerror}: {error.filename}). "
            "Nothing more is written. Check the disk and start again: the next start says which revision is accepted."
        )
        return StoreUncertain(self._uncertain)
