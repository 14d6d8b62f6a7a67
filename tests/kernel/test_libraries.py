"""Libraries of Debian's, taken as accepted forms: what other people have written defines all kinds of things."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.recovery import Story

from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper

SOURCES = Path("/usr/share/common-lisp/source")

ALEXANDRIA = """package definitions binding strings conditions symbols macros functions lists types io hash-tables
    control-flow arrays sequences numbers features"""

CHANGES = (
    # A proposal may not have `#.`.
    ("'#.(set-difference", "(set-difference"),
    ("#.most-positive-fixnum", str(2**62 - 1)),
    # It is read as a whole, so a feature that it sets counts only in the next one.
    ("(pushnew 'sequence-emptyp *features*)", "t"),
)


def sources(folder: str, names: str) -> list[str]:
    texts = []
    for name in names.split():
        path = SOURCES / folder / f"{name}.lisp"
        if not path.exists():
            pytest.skip(f"{path} is not installed")
        text = path.read_text(encoding="utf-8")
        for old, new in CHANGES:
            text = text.replace(old, new)
        texts.append(text)
    return texts


@pytest.mark.slow
@pytest.mark.timeout(240)
async def test_libraries_as_accepted_forms(keeper: Keeper) -> None:
    allowed = ["SB-INT", "SB-KERNEL", "SB-SEQUENCE", "COMMON-LISP:INTERN", "COMMON-LISP:FIND-SYMBOL"]
    allowed += ["COMMON-LISP:WITH-OPEN-FILE", "COMMON-LISP:OPEN", "COMMON-LISP:FIND-PACKAGE"]
    opening = Opening(["W"], forms_bytes=200_000, allow=allowed)
    story = await Story.begin(keeper, opening=opening)
    for text in sources("alexandria/alexandria-1", ALEXANDRIA):
        await story.accept(text)
    for text in sources("cl-split-sequence", "package vector list extended-sequence api documentation"):
        await story.accept(text)
    # What has been accepted can be accepted again.
    for text in sources("alexandria/alexandria-1", "lists"):
        await story.accept(text)
    for expression, value in (
        ("(alexandria:iota 3 :start 1)", "(1 2 3)"),
        ("(alexandria:flatten '(1 (2 (3)) 4))", "(1 2 3 4)"),
        ("(alexandria:hash-table-alist (alexandria:alist-hash-table '((1 . 2))))", "((1 . 2))"),
        ("(funcall (alexandria:compose #'1+ #'abs) -5)", "6"),
        ("(alexandria:when-let ((x 1)) (list x))", "(1)"),
        ("(alexandria:switch (3) (2 :two) (3 :three))", ":THREE"),
        ("(alexandria:median '(1 5 3))", "3"),
        (
            "(handler-case (alexandria:required-argument :x) (error (c) (princ-to-string c)))",
            '"Required argument :X missing."',
        ),
        ("(typep 3 '(alexandria:non-negative-integer))", "T"),
        ("(let ((l '(1))) (alexandria:appendf l '(2)) l)", "(1 2)"),
        ('(split-sequence:split-sequence #\\, "a,b,c" :start 2)', '("b" "c")'),
    ):
        assert await story.value(expression) == value
