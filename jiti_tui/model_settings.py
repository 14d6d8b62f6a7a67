"""What `[model]` of a world.toml says: read by the world part, followed by the model part, so it belongs to neither."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

_HOST = r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(:\d{1,5})?"
BASE_URL_FORM = re.compile(rf"^https?://([A-Za-z0-9._~%:-]+@)?(?P<host>{_HOST})(/[!-~]*)?\Z")
ReasoningEffort = Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"]


class ModelSettings(BaseModel):
    """How the OpenAI proposer asks. Keys are never here: they come from the environment."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    model: Annotated[str, Field(min_length=1, max_length=200, pattern=r"^[!-~]+$")] = "gpt-5.1"
    base_url: Annotated[str, Field(max_length=2000, pattern=BASE_URL_FORM)] | None = None
    """Where the API is, as `https://host/v1`. `OPENAI_BASE_URL` comes before it."""
    reasoning_effort: ReasoningEffort | None = None
    max_output_tokens: Annotated[int, Field(ge=256, le=1_000_000)] = 16_384
    """Bound of one answer, reasoning included."""
    temperature: Annotated[float, Field(ge=0, le=2, allow_inf_nan=False)] | None = None
    """Left to the model unless it is set; reasoning models refuse one."""
