"""Which proposer answers: what was asked for, or what the environment, the user and the world folder offer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from urllib.parse import urlsplit

from jiti_tui.errors import ProposerError
from jiti_tui.model.address import is_local
from jiti_tui.model.key import KEY, find_key
from jiti_tui.model.proposer import Proposer
from jiti_tui.model.replay import ReplayProposer
from jiti_tui.model_settings import BASE_URL_FORM, ModelSettings, UserModelSettings, settings_for

if TYPE_CHECKING:
    from jiti_tui.model.openai_proposer import OpenAIProposer

NO_PROPOSER = (
    "Nothing can answer: set OPENAI_API_KEY, name a local server in [model], or give the world a transcript.jsonl of "
    "recorded answers."
)
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
    name: str | None,
    world: Settings,
    transcript: Path | None,
    environ: Mapping[str, str],
    user: UserModelSettings | None = None,
) -> Proposer | None:
    """The proposer `name` ("openai", "replay"), or where it is None the one that is there; None when there is none.

    `transcript` is one that the operator named: it answers unless another proposer was named too. `user` is what the
    user has configured for all worlds. Raises ProposerError when what was asked for cannot be had, WorldFolderError
    when a transcript cannot be read.
    """
    user = user or UserModelSettings()
    if name is None:
        name = _offered(world, transcript, environ, user)
    if name == "replay":
        path = transcript or world.transcript
        if path is None:
            raise ProposerError(
                "There is no transcript.jsonl in the world folder to replay: name one with --transcript."
            )
        return ReplayProposer(path)
    if name == "openai":
        return make_openai(world.model, world.path, environ, user)
    if name is not None:
        raise ProposerError(f'There is no proposer "{name}": name openai or replay.')
    return None


def make_openai(
    world: ModelSettings, path: Path, environ: Mapping[str, str], user: UserModelSettings
) -> OpenAIProposer:
    """The proposer that asks a model, for the world in `path` with its own settings. Raises ProposerError."""
    from jiti_tui.model.openai_proposer import OpenAIProposer  # noqa: PLC0415 - what plays recorded answers needs none

    settings = settings_for(world, user)
    named = _base_url(environ)
    address = named or settings.base_url
    key = find_key(environ, user.key_file)
    if not key and not (address and is_local(address)):
        raise ProposerError(f"{KEY} is not set: put the key of the model's provider there.")
    if key and address and not is_local(address) and not _trusted(address, named, user):
        host = urlsplit(address).hostname
        raise ProposerError(
            f"world.toml would send your key to {host}. If that is what you want, set {BASE_URL}, or base_url in the "
            "[model] of your own config file."
        )
    return OpenAIProposer(settings, key, address, path)


def _offered(
    world: Settings, transcript: Path | None, environ: Mapping[str, str], user: UserModelSettings
) -> str | None:
    if transcript:
        return "replay"
    address = environ.get(BASE_URL, "").strip() or settings_for(world.model, user).base_url
    if environ.get(KEY, "").strip() or user.key_file or (address and is_local(address)):
        return "openai"
    return "replay" if world.transcript else None


def _trusted(address: str, named: str | None, user: UserModelSettings) -> bool:
    """Whether the user, not a world folder, has named the host of `address`."""
    known = {urlsplit(url).netloc for url in (named, user.base_url) if url}
    return urlsplit(address).netloc in known or urlsplit(address).hostname == "api.openai.com"


def _base_url(environ: Mapping[str, str]) -> str | None:
    url = environ.get(BASE_URL, "").strip()
    if url and not BASE_URL_FORM.match(url):
        raise ProposerError(f"{BASE_URL} is no address: write one such as https://host/v1.")
    return url or None
