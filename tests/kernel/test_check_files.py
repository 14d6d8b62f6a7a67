"""The index of a check file: which predicates it has, and what they are called."""

from __future__ import annotations

import pytest

from jiti_tui.kernel.messages import Unreadable
from jiti_tui.kernel.world import World


async def _index(world: World, text: str) -> list[tuple[str, int]] | str:
    runner = await world.runner()
    found = await runner.index_checks("goal", "goals.lisp", text)
    await runner.close()
    if isinstance(found, Unreadable):
        return f"{found.line}: {found.reason}"
    return [(check.name, check.line) for check in found]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (";;; two ;;\n;; lines\n(lambda () t)", ["two lines"]),
        ("#| of a\n   block |#\n(lambda () t)", ["of a block"]),
        (";; far away\n\n(lambda () t)", ["goal 1"]),
        ("(lambda () t) ; behind\n(lambda () t)", ["goal 1", "goal 2"]),
        (
            ';; a name\r\n;; on two lines\r\n(lambda ()\r\n  t)\r\n\r\n(goal "b"\r\n t)\r\n',
            ["a name on two lines", "b"],
        ),
        ('(goal "a" t)\n#+nil (goal "b" t)\n(goal "c" t)', ["a", "c"]),
        ('#+(or) (goal "a" t)', []),
        ('#-sbcl\n(goal "a" t)\n#+sbcl (goal "a" nil)', ["a"]),
        (";; of what is left out\n#+(or) (lambda () nil)\n(lambda () t)", ["goal 1"]),
        (";; of what is read\n#+sbcl\n(lambda () t)", ["of what is read"]),
        ('#+sbcl #-(or) ;; odd\n#+(and) (goal "a" t)', ["a"]),
    ],
)
async def test_names(world: World, text: str, names: list[str]) -> None:
    found = await _index(world, text)
    assert isinstance(found, list), found
    assert [name for name, _ in found] == names


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('(goal "a" t)\n#+(nor) (goal "b" t)', "2: "),
        ('(goal "a" t)\n#+nil (goal "b" t', "2: The file ends inside"),
        ('(goal "a" t)\n#+nil', "2: The file ends inside"),
        ('(goal "a" t)\n#+', "2: The file ends inside"),
    ],
)
async def test_what_does_not_read_is_told_with_its_line(world: World, text: str, reason: str) -> None:
    found = await _index(world, text)
    assert isinstance(found, str)
    assert found.startswith(reason), found


async def test_a_check_behind_a_feature_is_asked(world: World) -> None:
    runner = await world.runner()
    found = await runner.index_checks("goal", "goals.lisp", '#+sbcl (goal "a" (= 1 1))')
    assert not isinstance(found, Unreadable)
    said = await runner.check("goal", "a", "goals.lisp", 1, found[0].text, 5)
    await runner.close()
    assert said.ok, said.detail
