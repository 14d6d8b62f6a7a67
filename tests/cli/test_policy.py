"""The form policy of a world folder, and where no sandbox can run, as the command line shows them."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

Jiti = Callable[..., subprocess.CompletedProcess[str]]


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ("NO-SUCH-PACKAGE", "There is no package NO-SUCH-PACKAGE"),
        ("sb-ext:no-such-symbol", "The package SB-EXT has no symbol NO-SUCH-SYMBOL"),
        ("cl:car:cdr", "neither PACKAGE nor PACKAGE:SYMBOL"),
    ],
)
def test_entry_that_names_nothing_is_told_with_its_line(entry: str, reason: str, sales_tax: Path, jiti: Jiti) -> None:
    toml = sales_tax / "world.toml"
    text = toml.read_text() + f'\n[policy]\ndeny = ["CL:SLEEP"]\nallow = [\n  "SB-EXT:GC",\n  "{entry}",\n]\n'
    toml.write_text(text)
    line = text[: text.index(entry)].count("\n") + 1
    ended = jiti("eval", sales_tax, "(+ 1 2)")
    assert ended.returncode == 2
    assert f'world.toml line {line}: allow in [policy] names "{entry}". ' in ended.stderr
    assert reason in ended.stderr
    assert "Traceback" not in ended.stderr


def test_what_the_policy_admits_and_refuses(sales_tax: Path, jiti: Jiti) -> None:
    toml = sales_tax / "world.toml"
    toml.write_text(toml.read_text() + '\n[policy]\nallow = ["SB-EXT"]\ndeny = ["SB-EXT:EXIT", "CL:SLEEP"]\n')
    assert jiti("eval", sales_tax, "(progn (sb-ext:gc) 7)").stdout.splitlines()[-1] == "7"
    for form, name in (("(sb-ext:exit)", "SB-EXT:EXIT"), ("(sleep 1)", "COMMON-LISP:SLEEP")):
        ended = jiti("eval", sales_tax, form)
        assert ended.returncode == 2
        assert f"{name} is refused: `deny` in [policy] of world.toml names it." in ended.stderr


@pytest.fixture(params=["missing", "failing"])
def no_bubblewrap(request: pytest.FixtureRequest, tmp_path: Path, environment: dict[str, str]) -> None:
    """PATH has no bubblewrap, or one that fails as where user namespaces are off."""
    folder = tmp_path / "bin"
    folder.mkdir()
    if request.param == "failing":
        (folder / "bwrap").write_text("#!/bin/sh\necho bwrap: No permissions to create new namespace >&2; exit 1\n")
        (folder / "bwrap").chmod(0o755)
    for name in ("sbcl", "env", "sh"):
        for place in environment["PATH"].split(":"):
            if (Path(place) / name).exists() and not (folder / name).exists():
                (folder / name).symlink_to(Path(place) / name)
    environment["PATH"] = str(folder)


@pytest.mark.usefixtures("no_bubblewrap")
def test_without_a_sandbox_nothing_is_accepted_unattended_unless_told(sales_tax: Path, jiti: Jiti) -> None:
    refused = jiti("run", sales_tax)
    assert refused.returncode == 2
    assert "without a sandbox" in refused.stderr
    assert "--unsandboxed" in refused.stderr
    assert not list((sales_tax / "store").glob("revision-1"))
    done = jiti("run", sales_tax, "--unsandboxed")
    assert done.returncode == 0, done.stderr
    assert "NOT SANDBOXED" in done.stdout
    examined = jiti("doctor").stdout
    assert "Sessions run NOT SANDBOXED: bubblewrap" in examined
