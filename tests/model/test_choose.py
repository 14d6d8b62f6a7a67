from __future__ import annotations

import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from jiti_tui.errors import Exit, ProposerError, WorldFolderError
from jiti_tui.model.choose import choose_proposer
from jiti_tui.model_settings import ModelSettings

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
    assert name_of(None, bare, None, {}) is None
    assert name_of(None, recorded, None, {"OPENAI_API_KEY": ""}) == "replay transcript.jsonl"
    assert name_of(None, recorded, None, KEY) == openai
    assert name_of(None, recorded, other, KEY) == "replay other.jsonl"
    assert name_of("replay", recorded, None, KEY) == "replay transcript.jsonl"
    assert name_of("openai", recorded, other, KEY) == openai


def test_the_environment_comes_before_the_world(tmp_path: Path) -> None:
    environ = {**KEY, "OPENAI_BASE_URL": "https://example.org/v1"}
    assert name_of(None, Folder(tmp_path), None, environ) == "openai gpt-5.1 at example.org"


def test_what_cannot_be_had(tmp_path: Path) -> None:
    with pytest.raises(ProposerError, match="OPENAI_API_KEY is not set") as raised:
        choose_proposer("openai", Folder(tmp_path), None, {})
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
        "OpenAIProposer(ModelSettings(), 'k', None, 'w'); sys.exit('openai' in sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])
