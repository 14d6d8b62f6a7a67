"""A large data table in blocks: what travels when a key of it changes, and what another process makes of it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.blocks import FILL, accepted, evaluated, written

from jiti_tui.kernel.exports import Export
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.world import World


async def copy_of(keeper: Keeper, export: Export) -> World:
    """A fresh world that has imported `export`, which has all its blocks."""
    copy = await keeper.fork_world()
    await copy.open(Opening(["WORLD"]))
    assert await copy.import_(export.definitions, export.data, export.files, export.block_texts) is None
    return copy


async def test_a_changed_key_sends_its_block_alone(world: World) -> None:
    world, first = await accepted(world, FILL)
    assert len(first.blocks) > 3
    assert first.block_texts.keys() == set(first.blocks)
    world, second = await accepted(world, "(setf (jiti:value 5) :changed)")
    assert len(second.block_texts) == 1
    (name, text), (before,), (after,) = *second.block_texts.items(), second.before, second.after
    assert first.block_texts[before.block][before.start : before.end] == "(value 5) (5 10 :some)"
    assert (name, text[after.start : after.end]) == (after.block, "(value 5) :changed")
    assert not (await written(world)).block_texts


async def test_what_an_attempt_reads_and_leaves_alone_is_not_sent(world: World) -> None:
    world, _ = await accepted(world, FILL)
    world, second = await accepted(world, "(dotimes (i 20000) (jiti:value i)) (setf (jiti:value :new) 1)")
    assert len(second.block_texts) == 1


async def test_what_a_dropped_attempt_changed_is_not_in_the_next(world: World) -> None:
    world, _ = await accepted(world, FILL)
    await (await evaluated(world, "(setf (first (jiti:value 5)) :dropped)")).close()
    world, second = await accepted(world, "(setf (jiti:value 19999) 1)")
    assert [entry.name for entry in second.after] == ["(value 19999)"]


async def test_a_fresh_process_writes_what_was_imported(world: World, keeper: Keeper) -> None:
    world, first = await accepted(world, FILL)
    world, second = await accepted(world, '(setf (second (jiti:value 7)) "other") (setf (jiti:value 8) nil)')
    whole = replace(second, block_texts={n: (first.block_texts | second.block_texts)[n] for n in second.blocks})
    again = await written(await copy_of(keeper, whole))
    assert (again.data, again.blocks, again.block_texts) == (whole.data, whole.blocks, whole.block_texts)


async def test_a_settled_import_writes_only_what_changes(world: World, keeper: Keeper) -> None:
    world, first = await accepted(world, FILL)
    copy = await copy_of(keeper, first)
    assert await copy.settle()
    await copy.adopt(1, world.generation)
    _, second = await accepted(copy, "(setf (jiti:value 5) :changed)")
    assert len(second.block_texts) == 1


async def test_blocks_that_are_cut_otherwise_are_written_anew(world: World, keeper: Keeper) -> None:
    world, first = await accepted(world, FILL)
    one = "".join(first.block_texts[name] for name in first.blocks)
    copy = await copy_of(keeper, replace(first, block_texts={first.blocks[0]: one}))
    assert not await copy.settle()
    assert (await written(copy)).block_texts == first.block_texts


async def test_changes_are_imported_in_the_place_of_what_was(world: World, keeper: Keeper) -> None:
    world, first = await accepted(world, FILL)
    copy = await copy_of(keeper, first)
    await copy.settle()
    world, second = await accepted(world, "(setf *set* 1 (jiti:value 5) (rest (jiti:value 6))) (setf (get 'a :b) 1)")
    _, third = await accepted(world, "(makunbound '*set*) (setf (jiti:value 5) nil) (remprop 'a :b)")
    for before, export in ((first, second), (second, third)):
        gone = set(before.blocks) - set(export.blocks) | set(before.blocks) & export.block_texts.keys()
        assert await copy.import_changes(export.data, export.block_texts, gone) is None
        again = await written(copy)
        assert (again.data, again.blocks, again.block_texts) == (export.data, export.blocks, export.block_texts)


@pytest.mark.parametrize("text", ["(value 1) 2\n(value 1) 3\n", "*v* 1\n", "(value 1) (2\n", '(adapter "image" 1) 2\n'])
async def test_a_block_that_is_none_names_its_file(world: World, text: str) -> None:
    failed = await world.import_("", "", {}, {"0123456789abcdef": text})
    assert failed is not None
    assert failed.file == "data/0123456789abcdef.sexp"
