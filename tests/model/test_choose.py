from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jiti_tui.errors import Exit, ProposerError, WorldFolderError
from jiti_tui.model.choose import choose_proposer
from jiti_tui.model.key import find_key
from jiti_tui.model_settings import ModelSettings, UserModelSettings, settings_for

KEY = {"OPENAI_API_KEY": "sk-test-0123456789abcdef"}


@dataclass(frozen=True)
class Folder:
    path: Path
    transcript: Path | None = None
    model: ModelSettings = field(default_factory=lambda: ModelSettings(base_url="http://localhost:1/v1"))


@pytest.fixture
def transcript(tmp_path: Path) -> Path:
    path = tmp_path / "transcript.jsonl"
    path.write_text("")
    return path


def name_of(name: str | None, folder: Folder, transcript: Path | None, environ: dict[str, str]) -> str | None:
    proposer = choose_proposer(name, folder, transcript, environ)
    return proposer.name if proposer else None


def test_what_is_there_decides(tmp_path: Path, transcript: Path) -> None:
    bare, recorded = Folder(tmp_path), Folder(tmp_path, transcript)
    other = tmp_path / "other.jsonl"
    other.write_text("")
    openai = "openai gpt-5.1 at localhost:1"
    assert name_of(None, Folder(tmp_path, model=ModelSettings()), None, {}) is None
    assert name_of(None, Folder(tmp_path, transcript, ModelSettings()), None, {"OPENAI_API_KEY": ""}) == (
        "replay transcript.jsonl"
    )
    assert name_of(None, bare, None, {}) == openai
    assert name_of(None, recorded, None, KEY) == openai
    assert name_of(None, recorded, other, KEY) == "replay other.jsonl"
    assert name_of("replay", recorded, None, KEY) == "replay transcript.jsonl"
    assert name_of("openai", recorded, other, KEY) == openai


def test_the_environment_comes_before_the_world(tmp_path: Path) -> None:
    environ = {**KEY, "OPENAI_BASE_URL": "https://example.org/v1"}
    assert name_of(None, Folder(tmp_path), None, environ) == "openai gpt-5.1 at example.org"


def test_what_cannot_be_had(tmp_path: Path) -> None:
    with pytest.raises(ProposerError, match="OPENAI_API_KEY is not set") as raised:
        choose_proposer("openai", Folder(tmp_path, model=ModelSettings()), None, {})
    assert raised.value.exit_code == Exit.PROPOSER
    with pytest.raises(ProposerError, match="characters that no key has") as raised:
        choose_proposer(None, Folder(tmp_path), None, {"OPENAI_API_KEY": "sk-secret\n-\u00fc"})
    assert "secret" not in str(raised.value)
    with pytest.raises(ProposerError, match="OPENAI_BASE_URL is no address"):
        choose_proposer("openai", Folder(tmp_path), None, {**KEY, "OPENAI_BASE_URL": "localhost:8080"})
    with pytest.raises(ProposerError, match="no transcript"):
        choose_proposer("replay", Folder(tmp_path), None, KEY)
    with pytest.raises(ProposerError, match='no proposer "gpt"'):
        choose_proposer("gpt", Folder(tmp_path), None, KEY)
    with pytest.raises(WorldFolderError, match="is not there"):
        choose_proposer(None, Folder(tmp_path), tmp_path / "gone.jsonl", KEY)


def test_choosing_does_not_import_the_library() -> None:
    code = (
        "import sys; from pathlib import Path; from jiti_tui.model.openai_proposer import OpenAIProposer;"
        "from jiti_tui.model_settings import ModelSettings; import jiti_tui.model.choose;"
        "OpenAIProposer(ModelSettings(), 'k', None, Path('w')); sys.exit('openai' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:8080/v1", "http://localhost/v1", "http://[::1]:1/v1", "http://10.1.2.3/v1"]
)
def test_a_local_address_needs_no_key_and_costs_nothing(tmp_path: Path, address: str) -> None:
    folder = Folder(tmp_path, model=ModelSettings(base_url=address))
    local, paid = choose_proposer(None, folder, None, {}), choose_proposer(None, folder, None, KEY)
    assert local
    assert paid
    assert (local.costs_money, paid.costs_money) == (False, True)


def test_a_world_cannot_send_the_key_where_the_user_has_not(tmp_path: Path) -> None:
    folder = Folder(tmp_path, model=ModelSettings(base_url="https://example.org/v1"))
    with pytest.raises(ProposerError, match=r"would send your key to example\.org"):
        choose_proposer(None, folder, None, KEY)
    user = UserModelSettings(base_url="https://example.org/v1")
    assert choose_proposer(None, folder, None, KEY, user)
    assert choose_proposer(None, folder, None, {**KEY, "OPENAI_BASE_URL": "https://example.org/v1"})


def test_the_world_comes_before_the_user(tmp_path: Path) -> None:
    user = UserModelSettings(model="mine", temperature=0.5, base_url="http://localhost:2/v1", key_file="/k")
    settings = settings_for(ModelSettings(model="theirs"), user)
    assert settings == ModelSettings(model="theirs", temperature=0.5, base_url="http://localhost:2/v1")


def test_a_key_file_of_the_owner_alone(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.write_text(KEY["OPENAI_API_KEY"] + "\n")
    for mode in (0o640, 0o604, 0o660):
        file.chmod(mode)
        with pytest.raises(ProposerError, match="can be read by others than you: chmod 600"):
            find_key({}, str(file))
    file.chmod(0o600)
    assert find_key({}, str(file)) == KEY["OPENAI_API_KEY"]
    assert find_key({"OPENAI_API_KEY": "sk-other"}, str(file)) == "sk-other"


@pytest.mark.parametrize(
    ("content", "reason"), [(b"", "is empty"), (b"two keys", "no key has"), (b"\xff", "no key has")]
)
def test_a_key_file_that_holds_no_key(tmp_path: Path, content: bytes, reason: str) -> None:
    file = tmp_path / "key"
    file.write_bytes(content)
    file.chmod(0o600)
    with pytest.raises(ProposerError, match=reason):
        find_key({}, str(file))


def test_a_key_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(ProposerError, match="cannot be read: No such file"):
        find_key({}, str(tmp_path / "gone"))
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(ProposerError, match="is not a file"):
        find_key({}, str(tmp_path / "pipe"))
