"""The key of a model's provider: in one header of the call, and nowhere else."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from fakes.provider import KEY, Provider

CANARY = KEY.encode()


@pytest.mark.parametrize("place", ["environment", "key file"])
def test_the_key_is_nowhere(
    place: str,
    sales_tax: Path,
    provider: Provider,
    tmp_path: Path,
    environment: dict[str, str],
    family: Callable[[int], set[int]],
) -> None:
    seen: dict[str, bytes] = {}
    commands: list[str] = []

    def while_processes_are_looked_at(text: str) -> Any:
        """The turn in which the model says `text`; all processes of the session are there meanwhile."""

        def turn(request: Any) -> Any:
            for pid in family(session.pid):
                with suppress(ProcessLookupError, FileNotFoundError):  # a fork of a check may be gone by now
                    commands.append(Path(f"/proc/{pid}/cmdline").read_bytes().decode())
                    for file in ("environ", "cmdline"):
                        seen[f"{len(seen)} {file}"] = Path(f"/proc/{pid}/{file}").read_bytes()
            return provider.answer(text)(request)

        return turn

    def action(**fields: Any) -> str:
        return json.dumps({"action": {"rationale": f"It is {KEY}.", **fields}})

    provider.script(
        provider.error(500),
        while_processes_are_looked_at(action(kind="evaluate", generation=0, forms=f'(error "{KEY}")')),
        while_processes_are_looked_at(action(kind="resume", generation=1, restart="0/0", arguments=[f'"{KEY}"'])),
        provider.answer(f"no JSON, {KEY}"),
        while_processes_are_looked_at(action(kind="inspect", generation=2, expression=f'"{KEY}"')),
        provider.error(401, f"key {KEY}"),
    )
    own = environment | {"TMPDIR": str(tmp_path), "XDG_CACHE_HOME": str(tmp_path / "cache"), "OPENAI_LOG": "debug"}
    own |= {"OPENAI_BASE_URL": provider.base_url}
    key_file = tmp_path / "key"
    if place == "environment":
        own["OPENAI_API_KEY"] = KEY
    else:
        key_file.write_text(f"{KEY}\n")
        key_file.chmod(0o600)
        config = Path(environment["XDG_CONFIG_HOME"]) / "jiti-tui" / "config.toml"
        config.parent.mkdir(parents=True)
        config.write_text(f'[model]\nkey_file = "{key_file}"\n')
    session = subprocess.Popen(
        [
            *(sys.executable, "-m", "jiti_tui", "run", str(sales_tax), "--json", "--unsandboxed"),
            *("--record", str(tmp_path / "recorded.jsonl")),
        ],
        env=own,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    said, complained = session.communicate(timeout=90)
    assert (session.returncode, len(provider.requests)) == (4, 6), complained
    assert b"check OPENAI_API_KEY" in complained
    events = [json.loads(line) for line in said.splitlines()]
    assert {"paused", "resumed"} <= {event["event"] for event in events}
    assert b"(key)" in said
    # The keeper, the world and in a pause the candidate, and what they are in.
    assert sum("sbcl" in command for command in commands) >= 6, commands
    assert any("bwrap" in command for command in commands) is events[0]["sandboxed"]
    assert not [name for name, text in {**seen, "output": said, "errors": complained}.items() if CANARY in text]
    assert not [json.dumps(body) for body in provider.requests if KEY in json.dumps(body)]
    files = [path for path in tmp_path.rglob("*") if path.is_file() and path != key_file]
    assert {"events.sexp", "recorded.jsonl", "manifest.sexp"} <= {path.name for path in files}
    assert not [path for path in files if CANARY in path.read_bytes()]
