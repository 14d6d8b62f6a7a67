"""The proposer that asks a model through OpenAI's Responses API."""

from __future__ import annotations

import asyncio
import hashlib
import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jiti_tui.errors import ProposerError
from jiti_tui.model.action import InvalidAction, parse_action, parse_answer
from jiti_tui.model.backoff import LONGEST, pause
from jiti_tui.model.openai_errors import from_exception
from jiti_tui.model.prompt import prompt
from jiti_tui.model.proposer import Answer
from jiti_tui.model.rationale import RationaleReader
from jiti_tui.model.responses import Completed, read_response
from jiti_tui.model.schema import action_schema
from jiti_tui.model.view import View
from jiti_tui.model_settings import BASE_URL_FORM, ModelSettings

if TYPE_CHECKING:
    from openai import AsyncOpenAI

DEFAULT_BASE_URL = "https://api.openai.com/v1"


class OpenAIProposer:
    """Asks for one action a view. The key goes into the Authorization header and nowhere else."""

    recorded = False
    costs_money = True

    def __init__(
        self,
        settings: ModelSettings,
        key: str,
        base_url: str | None,
        world: str,
        *,
        deadline: float = 300.0,
        retries: int = 4,
        first_pause: float = 0.5,
    ) -> None:
        """`world` identifies the world to the provider's prompt cache, as a hash.

        `deadline` bounds an answer in seconds, with all `retries` and the pauses between them, the first of which is
        `first_pause` seconds.
        """
        self._settings = settings
        self._key = key
        self._base_url = base_url or DEFAULT_BASE_URL
        self._cache_key = f"jiti-{hashlib.sha256(world.encode('utf-8', 'surrogateescape')).hexdigest()[:32]}"
        self._deadline = deadline
        self._retries = retries
        self._first_pause = first_pause
        self._client: AsyncOpenAI | None = None
        address = BASE_URL_FORM.match(base_url) if base_url else None
        elsewhere = f" at {address['host']}" if address else ""
        self.name = f"openai {settings.model}{elsewhere}"

    async def propose(self, view: View, on_rationale: Callable[[str], None]) -> Answer:
        """See `Proposer`."""
        try:
            async with asyncio.timeout(self._deadline):
                completed = await self._complete(view, on_rationale)
        except TimeoutError:
            raise ProposerError(
                f"The model gave no answer within {self._deadline:g} seconds.", family="deadline"
            ) from None
        raw: dict[str, Any] | str = completed.text
        try:
            value = parse_answer(completed.text)
            raw = value if isinstance(value, dict) else raw
            return Answer(raw, parse_action(value, view.legal), tokens=completed.tokens)
        except InvalidAction as error:
            return Answer(raw, None, invalid=str(error), tokens=completed.tokens)

    async def close(self) -> None:
        """See `Proposer`."""
        client, self._client = self._client, None
        if client:
            await client.close()

    async def _complete(self, view: View, on_rationale: Callable[[str], None]) -> Completed:
        """Call until there is an answer or a failure that another call would not mend."""
        request = self._request(view)
        ends = asyncio.get_running_loop().time() + self._deadline
        failures = 0
        while True:
            try:
                return await self._call(request, on_rationale)
            except ProposerError as error:
                failures += 1
                wait = pause(failures, error.retry_after, self._first_pause)
                left = ends - asyncio.get_running_loop().time()
                if error.family != "transient" or failures > self._retries or wait > min(LONGEST, left):
                    raise
            on_rationale("")
            await asyncio.sleep(wait)

    async def _call(self, request: dict[str, Any], on_rationale: Callable[[str], None]) -> Completed:
        if self._client is None:
            client_class = await asyncio.to_thread(_load_client)
            # Its own retries cannot be cancelled, and its timeout is for each read alone: the deadline is ours.
            self._client = client_class(
                api_key=self._key, base_url=self._base_url, max_retries=0, timeout=self._deadline
            )
        create: Callable[..., Any] = self._client.responses.create
        try:
            async with await create(**request) as stream:
                return await read_response(stream, RationaleReader(on_rationale).feed, self._key)
        except ProposerError:
            raise
        except Exception as error:
            # Without the cause: the library's errors hold the request with its headers.
            raise from_exception(error, self._key) from None

    def _request(self, view: View) -> dict[str, Any]:
        words = prompt(view)
        schema = {"type": "json_schema", "name": "action", "strict": True, "schema": action_schema(view)}
        request: dict[str, Any] = {
            "model": self._settings.model,
            "instructions": words.instructions,
            "input": words.input,
            "text": {"format": schema},
            "max_output_tokens": self._settings.max_output_tokens,
            "prompt_cache_key": self._cache_key,
            "store": False,
            "stream": True,
        }
        if self._settings.reasoning_effort is not None:
            request["reasoning"] = {"effort": self._settings.reasoning_effort}
        if self._settings.temperature is not None:
            request["temperature"] = self._settings.temperature
        return request


def _load_client() -> type[AsyncOpenAI]:
    """Import the library, which takes most of a second, and the part that it would import at the first call."""
    importlib.import_module("openai.resources.responses")
    client: type[AsyncOpenAI] = importlib.import_module("openai").AsyncOpenAI
    return client
