"""Files that belong to the world: every process has its own copy, and only what was accepted stays."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path

import pytest
from fakes.attempt import SECONDS, evaluate, look
from fakes.files import FILES, HEAP_MB, accept, export, opened

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Dropped, Stale
from jiti_tui.kernel.sandbox import Sandbox
from jiti_tui.kernel.world import World

OpenWorld = Callable[..., Awaitable[World]]
StartKeeper = Callable[..., Awaitable[Keeper]]


@pytest.fixture
def open_world(keeper: Keeper) -> OpenWorld:
    """`await open_world(files)` opens a world with the directory adapter "site"; it may look around in Linux."""

    async def start(files: Mapping[str, bytes] = FILES, files_bytes: int = 1024 * 1024) -> World:
        return await opened(keeper, files, files_bytes)

    return start


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
