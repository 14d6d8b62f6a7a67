"""Blocks of a large table that a verifier has read before it imports definitions, and when they count."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace

import pytest
from fakes.attempt import look
from fakes.blocks import FILL, accepted, written

from jiti_tui.kernel.exports import Export
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Failed
from jiti_tui.kernel.verifier import Verifier
from jiti_tui.kernel.world import World


async def reader(keeper: Keeper, export: Export) -> tuple[Verifier, set[str]]:
    """A verifier that has the base alone and has set aside what it can of the blocks of `export`."""
    process = await keeper.fork_verifier()
    await process.open(Opening(["WORLD"]))
    return process, {name for name, text in export.block_texts.items() if await process.set_aside(name, text)}


async def imported(
    process: Verifier, export: Export, aside: Collection[str], verified: Collection[str]
) -> tuple[Failed | None, set[str]]:
    """How an import of `export` ends, and the names of the blocks that had to be read for it."""
    asked: set[str] = set()

    async def read(names: Collection[str]) -> Mapping[str, str]:
        asked.update(names)
        return {name: export.block_texts[name] for name in names}

    failed = await process.import_around(
        export.definitions, export.data, export.files, export.blocks, read, aside=aside, verified=verified
    )
    return failed, asked


async def test_blocks_that_were_set_aside_are_not_read_again(world: World, keeper: Keeper) -> None:
    world, export = await accepted(world, f"(defun f () 1) (defvar *v* (list 1)) {FILL}")
    process, aside = await reader(keeper, export)
    assert aside == set(export.blocks)
    fork = await process.fork_verifier()
    assert await imported(fork, export, aside, aside) == (None, set())
    again = await written(fork)
    assert (again.definitions, again.data, again.blocks) == (export.definitions, export.data, export.blocks)
    assert not again.block_texts
    expression = "(list (f) *v* (jiti:value 5) (jiti:value 19999))"
    assert await look(fork, expression) == await look(world, expression) == "(1 (1) (5 10 :SOME) (19999 39998 :SOME))"


async def test_what_is_not_verified_yet_is_written_again(world: World, keeper: Keeper) -> None:
    world, export = await accepted(world, FILL)
    process, aside = await reader(keeper, export)
    assert await imported(process, export, aside, aside - {export.blocks[1]}) == (None, set())
    again = await written(process)
    assert again.block_texts == {export.blocks[1]: export.block_texts[export.blocks[1]]}


async def test_another_text_takes_the_place_of_a_block(world: World, keeper: Keeper) -> None:
    world, first = await accepted(world, FILL)
    world, second = await accepted(world, "(setf (jiti:value 5) :changed) (defun f () 1)")
    process, aside = await reader(keeper, first)
    ((name, text),) = second.block_texts.items()
    assert await process.set_aside(name, text)
    whole = replace(second, block_texts=first.block_texts | second.block_texts)
    assert await imported(process, whole, aside, second.blocks) == (None, set())
    assert await look(process, "(list (f) (jiti:value 5))") == "(1 :CHANGED)"


@pytest.mark.parametrize(
    ("definitions", "value"),
    [
        ("(defstruct s n)", "(make-s :n i)"),
        ("(defclass c () ((n :initarg :n)))", "(make-instance 'c :n i)"),
        ("(defun f () 1)", "#'f"),
        ("", "(list 'a i)"),
        ("(defpackage #:p (:use #:cl))", "(list (find-package '#:p))"),
        ("(defun f () 1)", "(list (find-class 'integer))"),
    ],
)
async def test_what_depends_on_definitions_is_read_behind_them(
    world: World, keeper: Keeper, definitions: str, value: str
) -> None:
    padding = "(make-string 60 :initial-element #\\a)"
    world, export = await accepted(
        world, f"{definitions} (dotimes (i 6000) (setf (jiti:value i) (list {value} {padding})))"
    )
    process, aside = await reader(keeper, export)
    assert (len(export.blocks) > 2, aside) == (True, set())
    assert await imported(process, export, aside, export.blocks) == (None, set(export.blocks))
    assert (await written(process)).block_texts == export.block_texts


async def test_names_that_definitions_change_are_read_again(world: World, keeper: Keeper) -> None:
    world, export = await accepted(world, "(dotimes (i 20000) (setf (jiti:value i) (list i 'list 'car)))")
    process, aside = await reader(keeper, export)
    assert aside == set(export.blocks)
    world, changed = await accepted(world, "(defpackage #:world (:use #:cl) (:shadow #:list)) (defun list () 1)")
    assert changed.block_texts.keys() == set(changed.blocks)
    assert await imported(process, changed, aside, ()) == (None, set(changed.blocks))
    assert (await written(process)).block_texts == changed.block_texts
    assert await look(process, "(second (jiti:value 5))") == "COMMON-LISP:LIST"


async def test_no_definition_reaches_what_is_set_aside(world: World, keeper: Keeper) -> None:
    world, export = await accepted(world, FILL)
    world, more = await accepted(world, "(defun f () 1)")
    process, _ = await reader(keeper, export)
    text = more.definitions + "\n(defvar *seen* (jiti:value 5))\n"
    failed = await process.import_(text, "", {}, {})
    assert failed is None
    assert await look(process, "*seen*") == "NIL"


async def test_a_key_that_a_definition_sets_is_there_twice(world: World, keeper: Keeper) -> None:
    world, export = await accepted(world, FILL)
    process, aside = await reader(keeper, export)
    text = "(in-package #:world)\n(let ((v (setf (jiti:value 5) 1))) (defun f () v))\n"

    async def read(names: Collection[str]) -> Mapping[str, str]:
        return {name: export.block_texts[name] for name in names}

    failed = await process.import_around(text, export.data, {}, export.blocks, read, aside=aside, verified=aside)
    assert failed is not None
    assert failed.reason == "The key 5 is there twice."
