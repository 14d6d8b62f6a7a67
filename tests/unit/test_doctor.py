"""What `doctor` says about a machine, and that it never tells a secret."""

from __future__ import annotations

from pathlib import Path

import pytest

from jiti_tui.cli.findings import Verdict, forbidden_namespaces, model, terminal
from jiti_tui.cli.main import main
from jiti_tui.errors import Exit


def test_without_sbcl_no_session_can_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("JITI_SBCL", "/nowhere/sbcl")
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    assert main(["doctor"]) == Exit.WORKER
    printed = capsys.readouterr().out
    (missing,) = [line for line in printed.splitlines() if line.startswith("missing")]
    assert "JITI_SBCL" in missing
    assert "/nowhere/sbcl" in missing
    assert "OPENAI_API_KEY is set" in printed
    assert "sk-secret" not in printed


def test_where_all_is_there_a_session_can_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    assert any(line.startswith("ok       SBCL ") for line in lines)
    assert any(line.startswith("ok       kernel ") for line in lines)


def test_without_a_cache_a_session_can_run_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cache = tmp_path / "file"
    cache.touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(cache))
    assert main(["doctor"]) == Exit.DONE
    lines = capsys.readouterr().out.splitlines()
    (kernel,) = [line for line in lines if line.split()[1] == "kernel"]
    assert kernel.startswith("warning")
    assert "XDG_CACHE_HOME" in kernel


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}, "true colour"),
        ({"TERM": "xterm-256color", "COLORTERM": "truecolor", "NO_COLOR": "1", "LANG": "C.UTF-8"}, "greys"),
        ({"TERM": "linux", "LANG": "C.UTF-8"}, "256 colours or fewer"),
        ({"TERM": "dumb", "LANG": "C.UTF-8"}, "the screen cannot be shown here"),
        ({"LANG": "C.UTF-8"}, "TERM is not set"),
        ({"TERM": "xterm", "LANG": "en_GB.UTF-8", "LC_ALL": "C"}, "C is not UTF-8"),
        ({"TERM": "xterm"}, "none is set"),
    ],
)
def test_the_terminal_is_judged_by_its_variables(environ: dict[str, str], expected: str) -> None:
    assert expected in "\n".join(map(str, terminal(environ)))


def test_a_variable_cannot_command_the_terminal() -> None:
    assert "\x1b" not in "".join(map(str, terminal({"TERM": "x\x1b[2J", "LANG": "\x1b]0;owned\x07utf-8"})))


@pytest.mark.parametrize(
    ("config", "mode", "verdict", "detail"),
    [
        ("", 0o600, Verdict.NOTE, "the transcript is played"),
        ('[model]\nkey_file = "KEY"\n', 0o600, Verdict.OK, "The key is in "),
        ('[model]\nkey_file = "KEY"\n', 0o644, Verdict.WARNING, "can be read by others than you: chmod 600 "),
        ('[model]\nbase_url = "http://127.0.0.1:8080/v1"\n', 0o600, Verdict.OK, "needs no key"),
        ('[model]\nkey_fil = "KEY"\n', 0o600, Verdict.MISSING, "config.toml line 2: model.key_fil is not a known key"),
        ("[budget.request]\n\nattemps = 3\n", 0o600, Verdict.MISSING, "config.toml line 3: budget.request.attemps"),
        ("[budget]\nrequest = {attemps = 3}\n", 0o600, Verdict.MISSING, "config.toml line 2: budget.request.attemps"),
        ("[model\n", 0o600, Verdict.MISSING, "config.toml is not TOML"),
    ],
)
def test_the_users_own_settings_of_a_model_are_judged(
    tmp_path: Path, config: str, mode: int, verdict: Verdict, detail: str
) -> None:
    key = tmp_path / "key"
    key.write_text("sk-secret\n")
    key.chmod(mode)
    (tmp_path / "jiti-tui").mkdir()
    (tmp_path / "jiti-tui/config.toml").write_text(config.replace("KEY", str(key)))
    finding = model({"XDG_CONFIG_HOME": str(tmp_path)})
    assert finding.verdict is verdict
    assert detail in finding.detail
    assert "sk-secret" not in finding.detail


def test_a_switch_that_forbids_namespaces_is_named_with_its_remedy(tmp_path: Path) -> None:
    switch = tmp_path / "proc/sys/user/max_user_namespaces"
    switch.parent.mkdir(parents=True)
    switch.write_text("0\n")
    (finding,) = forbidden_namespaces(tmp_path)
    assert finding.verdict is Verdict.WARNING
    assert "sysctl user.max_user_namespaces" in finding.detail
    switch.write_text("63000\n")
    assert forbidden_namespaces(tmp_path) == []
