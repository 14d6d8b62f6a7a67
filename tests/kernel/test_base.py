"""Base code that a proposal defines anew: managed from then on, exported, recovered, and gone when it goes."""

from __future__ import annotations

import pytest
from fakes.attempt import Attempt, evaluate, look

from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.forks import Forks
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Failed, Invalid, Paused, Value
from jiti_tui.kernel.world import World

BASE = """
(defpackage #:shop (:use #:cl) (:export #:price #:area #:square #:item #:make-item #:item-name #:doubled #:twice-price))
(in-package #:shop)
(defun price (x) (* x 10))
(defun twice-price (x) (* 2 (price x)))
(defmacro doubled (form) `(* 2 ,form))
(defun doubled-price (x) (doubled (price x)))
(defgeneric area (shape))
(defclass square () ((side :initarg :side :reader side)))
(defmethod area ((shape square)) (expt (side shape) 2))
(defstruct item name)
(defun item-text (item) (item-name item))
"""


async def _open(keeper: Keeper, *packages: str) -> World:
    world = await keeper.fork_world()
    await world.open(Opening(packages))
    assert await world.load_base("base.lisp", BASE) is None
    await world.adopt(0, 0)
    return world


@pytest.fixture(params=[("SHOP",), ("WORLD",)], ids=["managed", "base"])
def packages(request: pytest.FixtureRequest) -> tuple[str, ...]:
    """The package of the base code is managed, or it is the base's alone."""
    chosen: tuple[str, ...] = request.param
    return chosen


async def _export(process: Forks) -> Export | NotReconstructible:
    runner = await process.runner()
    export = await runner.export()
    await runner.close()
    return export


async def _recovered(keeper: Keeper, attempt: Attempt, packages: tuple[str, ...]) -> World:
    """The attempt's world in a fresh process, where it exports the same."""
    assert isinstance(attempt.outcome, Value), attempt.outcome
    export = await _export(attempt.candidate)
    assert isinstance(export, Export), export
    world = await _open(keeper, *packages)
    assert await world.import_(export.definitions, export.data, {}) is None
    again = await _export(world)
    assert isinstance(again, Export)
    assert (again.definitions, again.data) == (export.definitions, export.data)
    assert set(again.state) == set(export.state)
    return world


async def test_base_code_is_no_part_of_a_revision(keeper: Keeper, packages: tuple[str, ...]) -> None:
    world = await _open(keeper, *packages)
    export = await _export(world)
    assert isinstance(export, Export)
    assert export.definition_index == ()


@pytest.mark.parametrize(
    ("forms", "expression", "value"),
    [
        # a function: base code calls the new one
        ("(defun shop:price (x) (* x 7))", "(shop:twice-price 1)", "14"),
        ("(defun shop:twice-price (x) (* 3 (shop:price x)))", "(list (shop:price 1) (shop:twice-price 1))", "(10 30)"),
        # a method of a base class, and one of the world's own class on a base function
        (
            "(defmethod shop:area ((shape shop:square)) :mine)",
            "(shop:area (make-instance 'shop:square :side 3))",
            ":MINE",
        ),
        (
            "(defclass circle () ())\n(defmethod shop:area ((shape circle)) 3)",
            "(list (shop:area (make-instance 'circle)) (shop:area (make-instance 'shop:square :side 3)))",
            "(3 9)",
        ),
        # a macro: what the world compiled with it follows, what the base compiled with it does not
        (
            "(defun mine (x) (shop:doubled x))\n(defmacro shop:doubled (form) `(* 20 ,form))",
            "(list (mine 1) (shop::doubled-price 1))",
            "(20 20)",
        ),
        # a removal stays one, although the base brings the thing
        ("(fmakunbound 'shop:price)", "(fboundp 'shop:price)", "NIL"),
        ("(defun shop:price (x) x)\n(fmakunbound 'shop:price)", "(fboundp 'shop:price)", "NIL"),
    ],
)
async def test_a_new_definition_lives_and_comes_back(
    keeper: Keeper, packages: tuple[str, ...], forms: str, expression: str, value: str
) -> None:
    world = await _open(keeper, *packages)
    attempt = await evaluate(world, forms)
    for process in (attempt.candidate, await _recovered(keeper, attempt, packages)):
        runner = await process.runner()
        said = await runner.check("goal", "g", "goals.lisp", 1, f"(lambda () (equalp {expression} '{value}))", 5)
        assert said.ok, said.detail


async def test_going_back_brings_the_base_back(keeper: Keeper, packages: tuple[str, ...]) -> None:
    """The revision before the new definition says nothing of the function: the base's is there."""
    world = await _open(keeper, *packages)
    before = await _export(world)
    attempt = await evaluate(world, "(defun shop:price (x) x)")
    assert await look(attempt.candidate, "(shop:price 1)") == "1"
    assert isinstance(before, Export)
    again = await _open(keeper, *packages)
    assert await again.import_(before.definitions, before.data, {}) is None
    assert await look(again, "(shop:price 1)") == "10"


async def test_the_same_structure_again_changes_nothing(keeper: Keeper) -> None:
    world = await _open(keeper, "SHOP")
    attempt = await evaluate(world, "(defstruct item name)\n(item-text (make-item :name 1))")
    assert attempt.value == "1"
    recovered = await _recovered(keeper, attempt, ("SHOP",))
    assert await look(recovered, "(item-text (make-item :name 2))") == "2"


async def test_another_structure_of_the_same_name_is_no_revision(keeper: Keeper) -> None:
    """Base code stays compiled with the old one, and an import would ask about it again: it is told, not lost."""
    world = await _open(keeper, "SHOP")
    attempt = await evaluate(world, "(defstruct item name weight)")
    assert isinstance(attempt.outcome, Paused)
    assert "incompatibly" in attempt.pause.condition
    await attempt.resume("continue")
    export = await _export(attempt.candidate)
    if isinstance(export, Export):
        fresh = await _open(keeper, "SHOP")
        failed = await fresh.import_(export.definitions, export.data, {})
        assert isinstance(failed, Failed)
        assert "incompatibly" in failed.reason
    else:
        assert "item" in export.path


async def test_inner_names_of_the_base_are_refused(keeper: Keeper) -> None:
    world = await _open(keeper, "WORLD")
    for forms in ("(shop::doubled-price 1)", "(defun shop::inner () 1)", "(in-package #:shop)"):
        attempt = await evaluate(world, forms)
        assert isinstance(attempt.outcome, Invalid), forms
        await attempt.candidate.close()
