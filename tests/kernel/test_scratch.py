"""What an attempt writes outside of the world is gone when the next one begins."""

from __future__ import annotations

import pytest
from fakes.attempt import evaluate, look

from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Value
from jiti_tui.kernel.world import World

BASE = r"""
(in-package #:world)

(defun sh (command)
  (string-right-trim '(#\Newline)
                     (with-output-to-string (out)
                       (sb-ext:run-program "/bin/sh" (list "-c" command) :output out :error out))))

(sh "mkdir /tmp/own && echo 1 > /tmp/own/file")
"""
PLACES = "/tmp /home/world /dev/shm /files"
LOOK = f'(sh "find {PLACES} -mindepth 1 | sort | xargs echo")'
CLEAN = '"/tmp/own /tmp/own/file"'
LITTER = [
    f"for place in {PLACES}; do mkdir $place/junk; echo 1 > $place/junk/x; ln -s /tmp/own $place/junk/link; done",
    "echo 1 > /tmp/file; mkfifo /dev/shm/pipe; mkdir -p /tmp/a/b/c; chmod 0 /tmp/a/b /tmp/a",
    "cd /tmp; for i in $(seq 300); do mkdir abcdefghijklmnopqrstuvwxyz && cd abcdefghijklmnopqrstuvwxyz; done",
    "cd /files; seq 3000 | xargs mkdir; dd if=/dev/zero of=/files/2/junk bs=1M count=600",
]


@pytest.fixture
async def world(keeper: Keeper) -> World:
    """A world whose base has a file in /tmp, and that runs programs."""
    if not keeper.sandboxed:
        pytest.skip("Without a sandbox there is no folder that is a world's alone.")
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], allow=["SB-EXT"]))
    assert await world.load_base("base.lisp", BASE) is None
    assert await world.import_("", "", {}) is None
    await world.adopt(0, 0)
    await world.restore()
    return world


@pytest.mark.parametrize("litter", LITTER)
async def test_what_a_dropped_attempt_has_left_is_gone(world: World, litter: str) -> None:
    assert await look(world, LOOK) == CLEAN
    attempt = await evaluate(world, f'(sh "{litter}")')
    assert isinstance(attempt.outcome, Value), attempt.outcome
    assert await look(world, LOOK) != CLEAN
    await attempt.candidate.close()
    await world.restore()
    assert await look(world, LOOK) == CLEAN


async def test_what_an_accepted_attempt_has_left_is_gone_too(world: World) -> None:
    attempt = await evaluate(world, '(sh "echo 1 > /tmp/junk; echo 2 > /tmp/own/other")')
    world = await attempt.candidate.accept(1, attempt.generation)
    assert await look(world, LOOK) == CLEAN.replace("own/file", "own/file /tmp/own/other")


async def test_what_a_check_has_left_is_gone_when_an_attempt_begins(world: World) -> None:
    assert await look(world, '(sh "echo 1 > /tmp/junk")') == '""'
    assert (await evaluate(world, LOOK)).value == CLEAN


async def test_candidates_side_by_side_keep_what_they_write(world: World) -> None:
    one = await evaluate(world, '(sh "echo one > /tmp/one")')
    other = await evaluate(world, '(sh "cat /tmp/one")')
    assert other.value == '"one"'
    await one.candidate.close()
    await other.candidate.close()


async def test_a_verifier_finds_nothing_of_the_one_before(keeper: Keeper) -> None:
    verifier = await keeper.fork_verifier()
    await verifier.open(Opening(["WORLD"], allow=["SB-EXT"]))
    assert await verifier.load_base("base.lisp", BASE) is None
    assert await verifier.import_("", "", {}) is None
    first = await verifier.fork_verifier()
    assert await look(first, '(sh "echo 1 > /tmp/junk")') == '""'
    await first.close()
    assert await look(await verifier.fork_verifier(), LOOK) == CLEAN
