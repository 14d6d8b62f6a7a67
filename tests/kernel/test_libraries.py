"""Whole libraries as accepted forms: proposed file by file, exported, and recovered in a fresh process."""

from __future__ import annotations

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from jiti_tui.kernel.candidate import Candidate
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.messages import Checked, Export, Value
from jiti_tui.kernel.sbcl import Sbcl
from jiti_tui.kernel.world import World

SOURCES = Path("/usr/share/common-lisp/source")
SECONDS = 60.0

LIST_FILES = """
(defun list-files (system)
  (dolist (action (asdf/plan:plan-actions (asdf:make-plan nil 'asdf:load-source-op (asdf:find-system system))))
    (when (typep (cdr action) 'asdf:cl-source-file)
      (format t "~&file ~A~%" (sb-ext:native-namestring (asdf:component-pathname (cdr action)))))))
"""


@dataclass(frozen=True)
class Library:
    """A library of Debian, what its forms may name besides the standard, and what goals say of it.

    `written_out` has what a proposal has to say in other words: its reader evaluates nothing, all of it is read before
    any of it runs, and documentation belongs into the definition.
    """

    system: str
    allow: tuple[str, ...]
    written_out: tuple[tuple[str, str], ...]
    goals: tuple[str, ...]


ALEXANDRIA = Library(
    "alexandria",
    (
        *("COMMON-LISP:OPEN", "COMMON-LISP:WITH-OPEN-FILE", "COMMON-LISP:STEP", "COMMON-LISP:INTERN"),
        *("COMMON-LISP:FIND-PACKAGE", "COMMON-LISP:FIND-SYMBOL", "SB-INT:SIMPLE-READER-ERROR", "SB-SEQUENCE"),
    ),
    (
        ("#.most-positive-fixnum", str(2**62 - 1)),
        ("'#.(set-difference lambda-list-keywords", "(set-difference lambda-list-keywords"),
        (". #. (let (res) (do-external-symbols (sym :alexandria.1.0.0) (push sym res)) res)", ""),
        ("(pushnew 'sequence-emptyp *features*)", "t"),
        ("(setf (documentation", "(list (documentation"),
    ),
    (
        "(equal (alexandria:iota 3 :start 1) '(1 2 3))",
        "(equal (alexandria:flatten '(1 (2 (3)))) '(1 2 3))",
        "(equal (funcall (alexandria:compose #'1+ #'*) 2 3) 7)",
        "(alexandria:emptyp #())",
        "(handler-case (alexandria:factorial -1) (type-error () t))",
        "(alexandria:when-let ((x 1)) (= x 1))",
        "(let ((list (list 1))) (alexandria:appendf list '(2)) (equal list '(1 2)))",
        "(= (alexandria:ensure-gethash 1 (make-hash-table) 5) 5)",
        '(equal (alexandria:switch ("b" :test #\'string=) ("a" 1) ("b" 2)) 2)',
        "(= (alexandria-2:line-up-first 5 (+ 20) -) -25)",
    ),
)

CL_PPCRE = Library(
    "cl-ppcre",
    tuple(
        f"COMMON-LISP:{name}"
        for name in ("FIND-PACKAGE", "LIST-ALL-PACKAGES", "WITH-PACKAGE-ITERATOR", "INTERN", "FIND-SYMBOL")
    ),
    (
        ("#.*standard-optimize-settings*", "(optimize speed (space 0) (debug 1) (compilation-speed 0))"),
        ("#.*special-optimize-settings*", "(optimize speed space)"),
        ("#.(1- array-total-size-limit)", str(2**62 - 4)),
        ("#.(truncate char-code-limit 3)", str(0x110000 // 3)),
        ("(setf (documentation", "(list (documentation"),
    ),
    (
        '(equalp (multiple-value-list (cl-ppcre:scan "(a|b)*c+" "xxabcc")) \'(2 6 #(3) #(4)))',
        '(string= (cl-ppcre:regex-replace-all "[aeiou]" "education" "*") "*d*c*t**n")',
        '(equal (cl-ppcre:split "\\\\s+" "foo   bar baz") \'("foo" "bar" "baz"))',
        '(string= (cl-ppcre:scan-to-strings "(?i)lisp(?=!)" "a LISP!") "LISP")',
        '(cl-ppcre:register-groups-bind (a b) ("(\\\\w)-(\\\\w)" "x-y") (string= (concatenate \'string b a) "yx"))',
        '(handler-case (cl-ppcre:create-scanner "(") (cl-ppcre:ppcre-syntax-error () t))',
    ),
)


@pytest.mark.parametrize(
    "library",
    [pytest.param(ALEXANDRIA, id="alexandria"), pytest.param(CL_PPCRE, id="cl-ppcre", marks=pytest.mark.slow)],
)
async def test_a_library_comes_back(library: Library, keeper: Keeper, sbcl: Sbcl) -> None:
    world = await _open(keeper, library)
    await world.adopt(0, 0)
    for number, text in enumerate(_texts(library, sbcl), start=1):
        candidate = await world.attempt(world.generation, number)
        assert isinstance(candidate, Candidate)
        outcome = await candidate.evaluate(world.generation, text, SECONDS)
        assert isinstance(outcome, Value), f"{outcome} in {text[:200]}"
        world = await candidate.accept(number, outcome.generation)
    export = await _export(world)
    assert await _failures(world, library) == []
    recovered = await _open(keeper, library)
    assert await recovered.import_(export.definitions, export.data, {}) is None
    again = await _export(recovered)
    assert (again.definitions, again.data) == (export.definitions, export.data)
    assert set(again.state) ^ set(export.state) == set()
    assert await _failures(recovered, library) == []


def _texts(library: Library, sbcl: Sbcl) -> list[str]:
    """The sources of the library in the order in which ASDF loads them, as proposals would have them."""
    if not (SOURCES / library.system).is_dir():
        pytest.skip(f"{SOURCES / library.system} is missing; scripts/setup.sh installs it")
    listed = subprocess.run(
        [
            *(sbcl.command, "--noinform", "--non-interactive", "--no-sysinit", "--no-userinit"),
            *("--eval", '(require "asdf")', "--eval", LIST_FILES, "--eval", f'(list-files "{library.system}")'),
        ],
        env={**os.environ, "CL_SOURCE_REGISTRY": f"{SOURCES}//"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=True,
        timeout=SECONDS,
    )
    # Once for each action that ASDF has for it.
    paths = dict.fromkeys(line.removeprefix("file ") for line in listed.stdout.splitlines() if line.startswith("file "))
    texts = [Path(path).read_text(encoding="utf-8") for path in paths if Path(path).is_relative_to(SOURCES)]
    assert texts
    for here, there in library.written_out:
        assert any(here in text for text in texts), here
        texts = [text.replace(here, there) for text in texts]
    return texts


async def _open(keeper: Keeper, library: Library) -> World:
    world = await keeper.fork_world()
    await world.open(Opening(["COMMON-LISP-USER"], forms_bytes=1024 * 1024, allow=library.allow))
    return world


async def _export(world: World) -> Export:
    runner = await world.runner()
    export = await runner.export()
    await runner.close()
    assert isinstance(export, Export), export
    return export


async def _failures(world: World, library: Library) -> list[str]:
    failures = []
    for goal in library.goals:
        runner = await world.runner()
        said = await runner.check("goal", goal, file="goals.lisp", line=1, text=f'(goal "g" {goal})', seconds=SECONDS)
        await runner.close()
        if said != Checked(True, said.detail):
            failures.append(f"{goal}: {said.detail}")
    return failures
