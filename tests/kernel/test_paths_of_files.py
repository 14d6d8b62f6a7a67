"""Which files of a world are kept, and which paths lead to one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping

import pytest
from fakes.attempt import evaluate, look
from fakes.files import BASE, FILES, accept, export, obstacle, opened

from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Failed
from jiti_tui.kernel.world import World

OpenWorld = Callable[..., Awaitable[World]]


@pytest.fixture
def open_world(keeper: Keeper) -> OpenWorld:
    """`await open_world(files)` opens a world with the directory adapter "site"; it may look around in Linux."""

    async def start(files: Mapping[str, bytes] = FILES, files_bytes: int = 1024 * 1024) -> World:
        return await opened(keeper, files, files_bytes)

    return start


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
