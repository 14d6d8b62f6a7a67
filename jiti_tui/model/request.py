"""What a call to a model sends, whole: `jiti-tui prompt` prints the same."""

from __future__ import annotations

from typing import Any

from jiti_tui.model.chat import chat_request
from jiti_tui.model.responses import responses_request
from jiti_tui.model.view import View
from jiti_tui.model_settings import ModelSettings


def request_body(view: View, settings: ModelSettings, cache_key: str, variant: int = 0) -> dict[str, Any]:
    """The body of the call that asks for an action for `view`, as a JSON object. No key is in it.

    Each `variant` asks for another answer: by its seed where the API has one, else by chance.
    """
    if settings.api == "chat":
        seed = {"seed": variant} if settings.proposals > 1 else {}
        return {**chat_request(view, settings), **seed}
    return responses_request(view, settings, cache_key)
