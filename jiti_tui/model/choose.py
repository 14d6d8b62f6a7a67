"""Which proposer answers: what was asked for, or what the environment and the world folder offer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from jiti_tui.errors import ProposerError
from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.proposer import Proposer
from jiti_tui.model.replay import ReplayProposer
from jiti_tui.model_settings import BASE_URL_FORM, ModelSettings

NO_PROPOSER = (
    "Nothing can answer: set OPENAI_API_KEY to ask a model, or give the world a transcript.jsonl of recorded answers."
)
KEY = "OPENAI_API_KEY"
BASE_URL = "OPENAI_BASE_URL"


class Settings(Protocol):
    """The part of a world folder that decides who answers."""

    @property
    def path(self) -> Path:
        """The folder: its worlds share a provider's prompt cache with themselves alone."""

    @property
    def model(self) -> ModelSettings:
        """How a model is asked."""

    @property
    def transcript(self) -> Path | None:
        """Recorded answers that the folder holds."""


def choose_proposer(
    name: str | None, world: Settings, transcript: Path | None, environ: Mapping[str, str]
) -> Proposer | None:
    """The proposer `name` ("openai", "replay"), or where it is None the one that is there; None when there is none.

    `transcript` is one that the operator named: it answers unless another proposer was named too. Raises ProposerError
    when what was asked for cannot be had, WorldFolderError when a transcript cannot be read.
    """
    if name is None:
        if transcript:
            name = "replay"
        elif environ.get(KEY, "").strip():
            name = "openai"
        elif world.transcript:
            name = "replay"
        else:
            return None
    if name == "replay":
        path = transcript or world.transcript
        if path is None:
            raise ProposerError(
                "There is no transcript.jsonl in the world folder to replay: name one with --transcript."
            )
        return ReplayProposer(path)
    if name == "openai":
        return OpenAIProposer(world.model, _key(environ), _base_url(environ) or world.model.base_url, str(world.path))
    raise ProposerError(f'There is no proposer "{name}": name openai or replay.')


def _key(environ: Mapping[str, str]) -> str:
    key = environ.get(KEY, "").strip()
    if not key:
        raise ProposerError(f"{KEY} is not set: put the key of the model's provider there.")
    if not (key.isascii() and key.isprintable()):
        # The HTTP library would quote it in its complaint.
        raise ProposerError(f"{KEY} holds characters that no key has: set it again.")
    return key


def _base_url(environ: Mapping[str, str]) -> str | None:
    url = environ.get(BASE_URL, "").strip()
    if url and not BASE_URL_FORM.match(url):
        raise ProposerError(f"{BASE_URL} is no address: write one such as https://host/v1.")
    return url or None
