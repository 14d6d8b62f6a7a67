"""Makes one call to a provider through OpenAI's client library, which is loaded when it is first needed."""

from __future__ import annotations

import asyncio
import importlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, get_args

from jiti_tui.errors import ProposerError
from jiti_tui.model.chat import read_chat
from jiti_tui.model.meter import Meter
from jiti_tui.model.openai_errors import from_exception
from jiti_tui.model.responses import read_responses
from jiti_tui.model_settings import ModelSettings

if TYPE_CHECKING:
    from openai import AsyncOpenAI

NO_KEY = "none"
"""What the library gets where there is no key: it must neither refuse the call nor take a key from elsewhere."""
_Stream = AbstractAsyncContextManager[AsyncIterator[Any]]


class Caller:
    """Holds the connections. Cancelling a call closes its own at once."""

    def __init__(self, settings: ModelSettings, key: str, base_url: str) -> None:
        self._settings = settings
        self._key = key
        self._base_url = base_url
        self._client: AsyncOpenAI | None = None

    async def call(self, request: dict[str, Any], meter: Meter) -> str:
        """Send `request` and return the answer's text, telling `meter` how it goes. Raises ProposerError."""
        if self._client is None:
            client_class = await asyncio.to_thread(_load_client)
            self._client = client_class(
                api_key=self._key or NO_KEY,
                base_url=self._base_url,
                # Its own retries cannot be cancelled, and its timeout is for each read alone: the deadline is ours.
                max_retries=0,
                timeout=self._settings.seconds,
            )
        chat = self._settings.api == "chat"
        create: Callable[..., Awaitable[_Stream]] = (
            self._client.chat.completions.create if chat else self._client.responses.create
        )
        read = read_chat if chat else read_responses
        headers = {} if self._key else {"Authorization": importlib.import_module("openai").Omit()}
        meter.sent = True
        try:
            async with await create(**request, extra_headers=headers) as stream:
                return await read(stream, meter, self._key)
        except Exception as error:
            # Nobody charges for a call that was turned away.
            meter.sent = meter.begun
            if isinstance(error, ProposerError):
                raise
            # Without the cause: the library's errors hold the request with its headers.
            raise from_exception(error, self._key) from None

    async def close(self) -> None:
        """Let go of connections."""
        client, self._client = self._client, None
        if client:
            await client.close()


def _load_client() -> type[AsyncOpenAI]:
    """Import the library, which takes most of a second, with the parts that it would import and build at the first
    call: half a second in which the session would hear nobody, not even who stops the call.
    """
    importlib.import_module("openai.resources.responses")
    # `Annotated[Union[...], ...]` of pydantic models, each of which would be built when it is first used.
    for event in get_args(get_args(importlib.import_module("openai.types.responses").ResponseStreamEvent)[0]):
        event.model_rebuild()
    importlib.import_module("openai.resources.chat")
    client: type[AsyncOpenAI] = importlib.import_module("openai").AsyncOpenAI
    return client
