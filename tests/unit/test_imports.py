"""The arrows between packages: what an import may bring along, and what the import contracts say."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]


def modules_after(statement: str) -> set[str]:
    """The top-level names in `sys.modules` of a fresh interpreter that has run `statement`."""
    script = f"{statement}\nimport json, sys\nprint(json.dumps(list(sys.modules)))"
    finished = subprocess.run(
        [sys.executable, "-c", script], cwd=CHECKOUT, capture_output=True, text=True, check=True, timeout=60
    )
    return {name.partition(".")[0] for name in json.loads(finished.stdout)}


def modules_after_all_of(package: str) -> set[str]:
    """As `modules_after`, for an import of every module of `jiti_tui.PACKAGE`."""
    return modules_after(
        f"import importlib, pkgutil, jiti_tui.{package} as package\n"
        "for module in pkgutil.walk_packages(package.__path__, package.__name__ + '.'):\n"
        "    importlib.import_module(module.name)"
    )


@pytest.mark.parametrize("package", ["engine", "kernel", "model", "store", "world"])
def test_the_engine_and_what_is_below_it_import_no_screen(package: str) -> None:
    assert not {"textual", "rich"} & modules_after_all_of(package)


@pytest.mark.parametrize("package", ["cli", "tui", "engine"])
def test_the_model_client_is_imported_only_when_a_proposer_needs_it(package: str) -> None:
    assert "openai" not in modules_after_all_of(package)


def test_the_command_line_is_parsed_without_the_screen() -> None:
    assert "textual" not in modules_after("import jiti_tui.cli.main")


@pytest.mark.parametrize("package", ["cli", "tui"])
def test_the_web_server_is_imported_only_when_it_serves(package: str) -> None:
    assert not {"aiohttp", "textual_serve"} & modules_after_all_of(package)


def test_the_import_contracts_hold() -> None:
    finished = subprocess.run(
        [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"],
        cwd=CHECKOUT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert finished.returncode == 0, finished.stdout + finished.stderr
