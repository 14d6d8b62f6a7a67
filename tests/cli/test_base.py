"""Base code that fails, and base code that has changed since a revision was accepted."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Run = Callable[..., tuple[list[dict[str, Any]], int]]
Jiti = Callable[..., subprocess.CompletedProcess[str]]


def test_base_that_has_grown_is_no_damage(sales_tax: Path, jiti: Jiti) -> None:
    base = sales_tax / "base.lisp"
    base.write_text("(defpackage #:sales-tax (:use #:cl))\n")
    (sales_tax / "world.toml").write_text('load = ["base.lisp"]\n' + (sales_tax / "world.toml").read_text())
    assert jiti("run", sales_tax, "--unsandboxed").returncode == 0
    base.write_text(base.read_text() + "(defvar sales-tax::*currency* :eur)\n")
    assert jiti("verify", sales_tax).returncode == 0
    assert jiti("eval", sales_tax, "(list *currency* (total-price 100.0 :food))").stdout == "(:EUR 102.0)\n"
    base.write_text("(defpackage #:sales-tax (:use #:cl))\n(defconstant sales-tax::sales-tax 1)\n(defmacro")
    assert "base.lisp line 3" in jiti("verify", sales_tax).stderr


def test_base_that_fails_is_named(sales_tax: Path, jiti: Jiti) -> None:
    (sales_tax / "base.lisp").write_text('(in-package #:cl-user)\n\n(error "no base today")\n')
    text = (sales_tax / "world.toml").read_text()
    (sales_tax / "world.toml").write_text('load = ["base.lisp"]\n' + text)
    ended = jiti("run", sales_tax)
    assert ended.returncode == 2
    assert "base.lisp" in ended.stderr
    assert "line 3" in ended.stderr
    assert "no base today" in ended.stderr


@pytest.mark.parametrize(
    ("form", "reason"), [(")", "unmatched close parenthesis"), ("(nowhere:f)", "Package NOWHERE does not exist.")]
)
def test_base_that_does_not_read_is_told_without_the_readers_stream(
    form: str, reason: str, sales_tax: Path, jiti: Jiti
) -> None:
    (sales_tax / "base.lisp").write_text(f"(in-package #:cl-user)\n\n{form}\n")
    (sales_tax / "world.toml").write_text('load = ["base.lisp"]\n' + (sales_tax / "world.toml").read_text())
    ended = jiti("eval", sales_tax, "1")
    assert ended.returncode == 2
    assert "base.lisp line 3" in ended.stderr
    assert ended.stderr.endswith(f": {reason}\n")


def test_base_that_ends_inside_a_comment_is_named(sales_tax: Path, jiti: Jiti) -> None:
    (sales_tax / "base.lisp").write_text("(in-package #:cl-user)\n\n#| (defun not-there ())\n")
    (sales_tax / "world.toml").write_text('load = ["base.lisp"]\n' + (sales_tax / "world.toml").read_text())
    ended = jiti("eval", sales_tax, "1")
    assert ended.returncode == 2
    assert "base.lisp line 3" in ended.stderr


def test_changed_base_that_breaks_an_invariant_is_named(sales_tax: Path, run_json: Run, jiti: Jiti) -> None:
    (sales_tax / "base.lisp").write_text(
        "(defpackage :lib (:use :cl) (:export #:floor-price))\n(defun lib:floor-price () 0)\n"
    )
    text = (sales_tax / "world.toml").read_text()
    (sales_tax / "world.toml").write_text('load = ["base.lisp"]\nsystems = []\n' + text)
    (sales_tax / "invariants.lisp").write_text(
        (sales_tax / "invariants.lisp").read_text() + '\n(invariant "floor is zero" (zerop (lib:floor-price)))\n'
    )
    assert run_json(sales_tax)[1] == 0
    (sales_tax / "base.lisp").write_text(
        "(defpackage :lib (:use :cl) (:export #:floor-price))\n(defun lib:floor-price () 1)\n"
    )
    ended = jiti("run", sales_tax, "--unsandboxed")
    assert ended.returncode == 3
    assert 'breaks the invariant "floor is zero"' in ended.stderr
    assert ".." not in ended.stderr
    assert "base.lisp" in ended.stderr
