"""How a model is asked, as `[model]` of a world.toml or of the user's config file says it.

Read by the world part and the command line, followed by the model part, so it belongs to none of them.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

_HOST = r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?"
BASE_URL_FORM = re.compile(rf"^https?://([A-Za-z0-9._~%:-]+@)?(?P<host>{_HOST})(/[!-~]*)?\Z")
ReasoningEffort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]
_Price = Annotated[float, Field(ge=0, le=1_000_000, allow_inf_nan=False)]


class Prices(BaseModel):
    """What a million tokens cost, in whatever currency; a budget in money is counted in it."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    input: _Price
    output: _Price
    """Reasoning included."""
    cached_input: _Price | None = None
    """Absent: as dear as other input."""


class ModelSettings(BaseModel):
    """How the OpenAI proposer asks. Keys are never here: they come from the environment or a key file."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    model: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[!-~]+$")] = "gpt-5.1"
    api: Literal["responses", "chat"] = "responses"
    """`chat` is for servers that imitate OpenAI's Chat Completions API: llama.cpp, Ollama, vLLM."""
    base_url: Annotated[str, Field(max_length=2000, pattern=BASE_URL_FORM)] | None = None
    """Where the API is, as `https://host/v1`. `OPENAI_BASE_URL` comes before it."""
    reasoning_effort: ReasoningEffort | None = None
    max_output_tokens: Annotated[int, Field(ge=256, le=1_000_000)] = 16_384
    """Bound of one answer, reasoning included."""
    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] | None = None
    """Left to the model unless it is set; reasoning models refuse one."""
    view_tokens: Annotated[int, Field(ge=2_000, le=1_000_000)] = 24_000
    """Bound of what a step shows of the world, about; the rules come to another thousand."""
    seconds: Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)] = 300.0
    """Bound of one answer, with all tries and the pauses between them."""
    proposals: Annotated[int, Field(ge=1, le=8)] = 1
    """Answers to a view that are asked for at once and tried side by side."""
    prices: Prices | None = None


class UserModelSettings(ModelSettings):
    """The user's own: a world cannot name a file of the user's."""

    key_file: Annotated[str, Field(min_length=1, max_length=4096)] | None = None
    """A file that holds the key alone, readable by its owner alone (mode 0600); `~` is the home folder."""


def settings_for(world: ModelSettings, user: UserModelSettings) -> ModelSettings:
    """`world`'s settings, with those that it leaves out taken from `user`."""
    own = user.model_dump(exclude_unset=True, exclude={"key_file"})
    return ModelSettings.model_validate({**own, **world.model_dump(exclude_unset=True)})
