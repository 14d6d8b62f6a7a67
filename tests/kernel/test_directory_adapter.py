"""Files that belong to the world: every process has its own copy, and only what was accepted stays."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest
from fakes.attempt import SECONDS, Attempt, evaluate, look

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Dropped, Failed, Stale
from jiti_tui.kernel.sandbox import Sandbox
from jiti_tui.kernel.world import World

BASE = r"""
(in-package #:world)

(make-instance 'jiti:directory-adapter :name "site")

(defun text (path)
  (with-open-file (in (jiti:world-file "site" path) :external-format :utf-8)
    (let* ((text (make-string (file-length in))) (end (read-sequence text in)))
      (subseq text 0 end))))

(defun put (path text &optional (if-exists :supersede))
  (let ((file (jiti:world-file "site" path)))
    (ensure-directories-exist file)
    (with-open-file (out file :direction :output :if-exists if-exists :external-format :utf-8)
      (write-string text out)))
  path)

(defun drop (path)
  (delete-file (jiti:world-file "site" path)))

(defun native (path)
  (concatenate 'string "/proc/self/cwd/site/" path))

(defun make-link (target path)
  (sb-alien:alien-funcall (sb-alien:extern-alien "symlink" (function sb-alien:int sb-alien:c-string
                                                                     sb-alien:c-string))
                          target (native path)))

(defun make-second-name (path other)
  (sb-alien:alien-funcall (sb-alien:extern-alien "link" (function sb-alien:int sb-alien:c-string
                                                                  sb-alien:c-string))
                          (native path) (native other)))

(defun make-pipe (path)
  (sb-alien:alien-funcall (sb-alien:extern-alien "mkfifo" (function sb-alien:int sb-alien:c-string
                                                                    sb-alien:int))
                          (native path) #o600))

(defun make-odd-name (character)
  (with-open-file (out (sb-ext:parse-native-namestring (native (string character)))
                       :direction :output)
    (princ 1 out)))

(defun other-copies ()
  (let ((own (namestring (truename "/proc/self/cwd/"))))
    (remove own (mapcar #'namestring
                        (directory (merge-pathnames "../*/" own)))
            :test #'string=)))
"""

FILES = {
    "site/a.txt": b"one\n",
    "site/posts/b.txt": "zwei ä\n".encode(),
    "site/posts/2026/c.bin": bytes(range(256)),
    "site/empty": b"",
}

HEAP_MB = 256

OpenWorld = Callable[..., Awaitable[World]]
StartKeeper = Callable[..., Awaitable[Keeper]]


@pytest.fixture
def open_world(keeper: Keeper) -> OpenWorld:
    """`await open_world(files)` opens a world with the directory adapter "site"; it may look around in Linux."""

    async def start(files: Mapping[str, bytes] = FILES, files_bytes: int = 1024 * 1024) -> World:
        return await opened(keeper, files, files_bytes)

    return start


async def opened(keeper: Keeper, files: Mapping[str, bytes], files_bytes: int = 1024 * 1024) -> World:
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], files_bytes=files_bytes, allow=["COMMON-LISP"]))
    assert await world.load_base("base.lisp", BASE) is None
    assert await world.import_("", "", files) is None
    await world.adopt(0, 0)
    await world.restore()
    return world


async def export(process: World | Attempt) -> Export:
    runner = await (process.candidate if isinstance(process, Attempt) else process).runner()
    exported = await runner.export()
    await runner.close()
    assert isinstance(exported, Export), exported
    return exported


async def obstacle(attempt: Attempt) -> str:
    """Why the files of a candidate cannot be kept."""
    runner = await attempt.candidate.runner()
    with pytest.raises(WorkerError) as refused:
        assert not isinstance(await runner.export(), NotReconstructible)
    await runner.close()
    return str(refused.value)


async def accept(world: World, attempt: Attempt) -> World:
    exported = await export(attempt)
    return await attempt.candidate.accept(world.revision + 1, attempt.generation, exported.files)


# What was imported


async def test_files_come_back_as_they_were_given(open_world: OpenWorld) -> None:
    world = await open_world()
    assert dict((await export(world)).files) == FILES
    assert await look(world, '(list (text "a.txt") (text "posts/b.txt"))') == '("one\n" "zwei ä\n")'
    assert await look(world, '(jiti:world-files "site")') == '("a.txt" "empty" "posts/2026/c.bin" "posts/b.txt")'


async def test_a_large_file_travels_in_pieces(open_world: OpenWorld) -> None:
    large = {"site/large": bytes(range(256)) * 8000}
    world = await open_world(large, files_bytes=4 * 1024 * 1024)
    assert dict((await export(world)).files) == large
    attempt = await evaluate(world, '(put "large" "!" :append)')
    assert (await export(attempt)).files == {"site/large": large["site/large"] + b"!"}


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("other/a", 'The world has no directory adapter named "other".'),
        ("site/../a", '"../a" is no path of a file: a path does not lead out by ...'),
        ("site//a", '"/a" is no path of a file: a path is relative to the adapter\'s folder.'),
        ("site", '"" is no path of a file: a path is not empty.'),
    ],
)
async def test_a_file_that_has_no_place_is_not_imported(keeper: Keeper, name: str, reason: str) -> None:
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"]))
    assert await world.load_base("base.lisp", BASE) is None
    failed = await world.import_("", "", {name: b"x"})
    assert isinstance(failed, Failed)
    assert (failed.file, failed.reason) == (name, reason)


# A candidate's copy


async def test_a_candidate_works_on_its_own_copy(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, '(put "a.txt" "two") (put "new/d.txt" "d") (drop "posts/b.txt")')
    expected = {
        "site/a.txt": b"two",
        "site/empty": b"",
        "site/new/d.txt": b"d",
        "site/posts/2026/c.bin": FILES["site/posts/2026/c.bin"],
    }
    assert dict((await export(attempt)).files) == expected
    await attempt.candidate.close()
    await world.restore()
    assert dict((await export(world)).files) == FILES


async def test_accepting_promotes_the_copy(open_world: OpenWorld) -> None:
    world = await open_world()
    world = await accept(world, await evaluate(world, '(put "a.txt" "two") (drop "empty")'))
    changed = {"site/a.txt": b"two", **{name: FILES[name] for name in list(FILES)[1:3]}}
    assert dict(world.files) == changed
    assert dict((await export(world)).files) == changed
    world = await accept(world, await evaluate(world, '(put "a.txt" "three")'))
    assert await look(world, '(text "a.txt")') == '"three"'
    assert await look(world, "(length (other-copies))") == "1"


async def test_a_file_that_is_overwritten_in_place_at_once_is_seen(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, '(put "a.txt" "two" :overwrite)')
    assert (await export(attempt)).files["site/a.txt"] == b"two\n"


async def test_only_what_changed_travels(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, '(put "a.txt" "two")')
    runner = await attempt.candidate.runner()
    asked = runner.worker.send("export")
    await runner.worker.answer(asked, seconds=SECONDS)
    assert [chunk.name for chunk in asked.chunks if chunk.part == "files"] == ["site/a.txt"]


async def test_a_repair_that_is_dropped_takes_its_files_along(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, '(put "a.txt" "two") (error "stop") (put "a.txt" "four")')
    await attempt.repair('(put "a.txt" "three")')
    assert await attempt.look('(text "a.txt")') == '"three"'
    assert await attempt.candidate.resume(attempt.generation, "0/2", [], SECONDS) == Dropped(3)
    assert await attempt.look('(text "a.txt")') == '"two"'
    attempt.outcome = Stale(3)
    await attempt.go_on("0/0", "1")
    assert (await export(attempt)).files["site/a.txt"] == b"four"


async def test_a_path_that_was_kept_leads_to_the_copy_of_whoever_uses_it(open_world: OpenWorld) -> None:
    world = await open_world()
    world = await accept(world, await evaluate(world, '(defvar *file* (jiti:world-file "site" "a.txt"))'))
    attempt = await evaluate(world, "(with-open-file (out *file* :direction :output :if-exists :append) (princ 2 out))")
    assert (await export(attempt)).files["site/a.txt"] == b"one\n2"
    await attempt.candidate.close()
    assert await look(world, '(text "a.txt")') == '"one\n"'


# Checks and looks


async def test_a_check_changes_no_file(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, '(defvar *file* (jiti:world-file "site" "a.txt"))')
    for process in (world, attempt.candidate):
        runner = await process.runner()
        checked = await runner.check(
            "goal", "g", "goals.lisp", 1, '(goal "g" (put "a.txt" "x") (drop "empty") (put "new" "y"))', SECONDS
        )
        assert checked.ok, checked
        await runner.close()
    runner = await attempt.candidate.runner()
    await runner.inspect("(with-open-file (out *file* :direction :output :if-exists :append) (princ 2 out))", SECONDS)
    assert await look(attempt.candidate, '(text "a.txt")') == '"one\n"'
    assert (await export(attempt)).files == FILES
    assert (await export(world)).files == FILES


async def test_copies_of_what_has_ended_are_removed(open_world: OpenWorld) -> None:
    world = await open_world()
    for _ in range(5):
        attempt = await evaluate(world, '(put "a.txt" "two")')
        assert await attempt.look("1") == "1"
        await attempt.candidate.close()
        await world.restore()
    # Its own copy is not counted: the world's is left, and at most the last look's.
    assert int(await look(world, "(length (other-copies))")) <= 2


# What a revision cannot keep


@pytest.mark.parametrize(
    ("forms", "named"),
    [
        ('(make-link "/etc/passwd" "link")', "site/link is neither a regular file nor a folder"),
        ('(make-pipe "posts/pipe")', "site/posts/pipe is neither a regular file nor a folder"),
        ('(make-second-name "a.txt" "z")', "site/a.txt is a hard link"),
        ('(put "large" (make-string 1048576 :initial-element #\\x))', "larger than the 1 MB together"),
        ("(make-odd-name (code-char 27))", "a name holds no control character"),
    ],
)
async def test_what_cannot_be_kept_is_refused_by_name(open_world: OpenWorld, forms: str, named: str) -> None:
    world = await open_world()
    attempt = await evaluate(world, forms)
    assert named in await obstacle(attempt)
    await attempt.candidate.close()
    await world.restore()
    assert (await export(world)).files == FILES


async def test_empty_folders_are_not_kept(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, '(ensure-directories-exist (jiti:world-file "site" "hollow/in/x"))')
    world = await accept(world, attempt)
    assert await look(world, '(probe-file (jiti:world-file "site" "hollow"))') == "NIL"


# Paths


@pytest.mark.parametrize(
    ("path", "condition"),
    [
        ('"../x"', "a path does not lead out by .."),
        ('"/etc/passwd"', "a path is relative to the adapter's folder"),
        ('"a/../../x"', "a path does not lead out by .."),
        ('"a//x"', "a path is made of names with one slash between two"),
        ('"."', "a path is made of names with one slash between two"),
        ('""', "a path is not empty"),
        ("(make-string 600 :initial-element #\\x)", "a path has at most 512 octets"),
        ("'x", "is not of type"),
    ],
)
async def test_a_path_that_leads_out_pauses(open_world: OpenWorld, path: str, condition: str) -> None:
    attempt = await evaluate(await open_world(), f'(jiti:world-file "site" {path})')
    assert condition in attempt.pause.condition


async def test_a_path_through_a_link_pauses(open_world: OpenWorld) -> None:
    world = await open_world()
    attempt = await evaluate(world, '(make-link "/etc" "etc") (jiti:world-file "site" "etc/passwd")')
    assert attempt.pause.type == "JITI:PATH-REFUSED"
    assert attempt.pause.condition == "site/etc/passwd leads to something that is neither a file nor a folder."


async def test_a_name_with_a_wildcard_is_a_name(open_world: OpenWorld) -> None:
    attempt = await evaluate(await open_world(), '(put "[a]*?.txt" "x")')
    assert (await export(attempt)).files["site/[a]*?.txt"] == b"x"


# Without a sandbox


async def test_without_a_sandbox_the_copies_go_with_the_session(start_keeper: StartKeeper) -> None:
    keeper = await start_keeper(sandbox=Sandbox(None, "The test wants none."))
    world = await opened(keeper, FILES)
    attempt = await evaluate(world, '(put "a.txt" "two")')
    place = Path((await attempt.look('(namestring (truename (jiti:world-file "site" "a.txt")))')).strip('"'))
    assert place.name == "a.txt"
    copies = place.parents[2]
    assert copies.stat().st_mode & 0o777 == 0o700
    world = await accept(world, attempt)
    assert await look(world, '(text "a.txt")') == '"two"'
    await keeper.close()
    assert not copies.exists()


# Tricks


async def test_a_world_whose_own_copy_a_candidate_has_changed_does_not_go_on(open_world: OpenWorld) -> None:
    world = await open_world()
    write = (
        '(dolist (copy (other-copies)) (with-open-file (out (concatenate \'string copy "site/a.txt")'
        " :direction :output :if-exists :append) (princ 2 out)))"
    )
    attempt = await evaluate(world, write)
    await attempt.candidate.close()
    with pytest.raises(WorkerError, match="The adapter site failed in restore: During the attempt, files of the world"):
        await world.restore()


async def test_the_copies_have_a_bound() -> None:
    keeper = await Keeper.start(HEAP_MB, files_mb=1)
    if not keeper.sandboxed:
        await keeper.close()
        pytest.skip(keeper.sandbox.reason)
    world = await opened(keeper, FILES)
    fill = '(loop for i from 0 do (put (format nil "f~D" i) (make-string 1000000 :initial-element #\\x)))'
    attempt = await evaluate(world, fill)
    assert "No space left on device" in attempt.pause.condition
    await attempt.candidate.close()
    await world.restore()
    assert (await evaluate(world, '(put "a.txt" "two")')).value == '"a.txt"'
    await keeper.close()


async def test_what_lies_beside_the_copies_is_removed(open_world: OpenWorld) -> None:
    world = await open_world()
    folders = '(loop for copy in (other-copies) collect (length (directory (format nil "~A*/" copy))))'
    attempt = await evaluate(
        world,
        """(dolist (copy (other-copies))
             (with-open-file (out (ensure-directories-exist (format nil "~Ajunk/file" copy)) :direction :output)
               (princ 1 out)))""",
    )
    assert attempt.value == "NIL"
    assert await attempt.look(folders) == "(2 1)"  # the world's and the candidate's
    await attempt.candidate.close()
    await world.restore()
    assert await look(world, folders) == "(1)"
    assert (await export(world)).files == FILES
