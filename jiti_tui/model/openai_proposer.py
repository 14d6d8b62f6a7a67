"""The proposer that asks a model through OpenAI's Responses API, or the Chat API that other servers imitate."""

from __future__ import annotations

import asyncio
import hashlib
import json
from pathlib import Path
from typing import Any

from jiti_tui.errors import ProposerError
from jiti_tui.frozen import frozen
from jiti_tui.model.action import InvalidAction, parse_action, parse_answer
from jiti_tui.model.address import is_local
from jiti_tui.model.backoff import LONGEST, pause
from jiti_tui.model.caller import Caller
from jiti_tui.model.meter import Meter
from jiti_tui.model.no_answer import NoAnswer
from jiti_tui.model.proposer import Answer, Listener
from jiti_tui.model.rationale import RationaleReader
from jiti_tui.model.request import request_body
from jiti_tui.model.tokens import Tokens, estimate
from jiti_tui.model.view import View
from jiti_tui.model_settings import BASE_URL_FORM, ModelSettings

DEFAULT_BASE_URL = "https://api.openai.com/v1"
_TRIES = {"transient": 5, "protocol": 3, "failed": 3}
"""How often a call is made at most that fails in a way which another try may mend; others are made once."""


def cache_key(world: Path) -> str:
    """What names the world in `world` to a provider's prompt cache: a hash, which tells nothing of the path."""
    return f"jiti-{hashlib.sha256(str(world).encode('utf-8', 'surrogateescape')).hexdigest()[:32]}"


@frozen
class _Said:
    """What a call has ended with, and what it cost; `none` is why there is no answer, "" where there is one."""

    text: str
    tokens: Tokens
    none: str = ""


class OpenAIProposer:
    """Asks for one action a view. The key goes into the Authorization header and nowhere else."""

    recorded = False

    def __init__(
        self, settings: ModelSettings, key: str, base_url: str | None, world: Path, *, first_pause: float = 0.5
    ) -> None:
        """`key` may be "" where `base_url` wants none. `first_pause` is that after the first failure, in seconds."""
        address = base_url or DEFAULT_BASE_URL
        self._settings = settings
        self._key = key
        self._caller = Caller(settings, key, address)
        self._cache_key = cache_key(world)
        self._first_pause = first_pause
        self._correction = 1.0
        """What estimates of a prompt are multiplied by: what the last one has come to by the provider's count."""
        self.proposals = settings.proposals
        self.costs_money = bool(key) or not is_local(address)
        host = BASE_URL_FORM.match(base_url) if base_url else None
        elsewhere = f" at {host['host']}" if host else ""
        self.name = f"openai {settings.model}{elsewhere}"

    async def propose(self, view: View, listener: Listener, variant: int = 0) -> Answer:
        """See `Proposer`."""
        seconds = self._settings.seconds
        try:
            async with asyncio.timeout(seconds):
                said = await self._complete(view, listener, variant)
        except TimeoutError:
            raise ProposerError(
                f"The model gave no answer within {seconds:g} seconds: "
                "choose a faster one, or raise seconds in [model].",
                family="deadline",
            ) from None
        if said.none:
            return self._answer("", None, said.tokens, said.none)
        text = self._hidden(said.text)
        raw: dict[str, Any] | str = text
        try:
            value = parse_answer(text)
            raw = value if isinstance(value, dict) else raw
            return self._answer(raw, value, said.tokens, view=view)
        except InvalidAction as error:
            return self._answer(raw, None, said.tokens, str(error))

    async def close(self) -> None:
        """See `Proposer`."""
        await self._caller.close()

    def _answer(
        self, raw: dict[str, Any] | str, value: Any, tokens: Tokens, invalid: str = "", view: View | None = None
    ) -> Answer:
        action = parse_action(value, view.legal) if view else None
        return Answer(raw, action, invalid, tokens, self._money(tokens))

    def _money(self, tokens: Tokens) -> float:
        prices = self._settings.prices
        return tokens.cost(prices) if prices else 0.0

    async def _complete(self, view: View, listener: Listener, variant: int) -> _Said:
        """Call until there is an answer or a failure that another call would not mend."""
        request = request_body(view, self._settings, self._cache_key, variant)
        size = estimate(json.dumps(request, ensure_ascii=False))
        ends = asyncio.get_running_loop().time() + self._settings.seconds
        failures = 0
        while True:
            try:
                return await self._call(request, size, listener)
            except ProposerError as error:
                failures += 1
                wait = pause(failures, error.retry_after, self._first_pause)
                left = ends - asyncio.get_running_loop().time()
                if failures >= _TRIES.get(error.family, 1) or wait > min(LONGEST, left):
                    raise
                reason = str(error)
            listener.rationale("")
            await listener.wait(wait, reason)

    async def _call(self, request: dict[str, Any], size: int, listener: Listener) -> _Said:
        """Make one call, of about `size` tokens. `listener` hears what it has cost where there is no end to tell it."""
        reader = RationaleReader(lambda text: listener.rationale(self._hidden(text)))
        meter = Meter(round(size * self._correction), reader.feed)
        try:
            said = _Said(await self._caller.call(request, meter), meter.tokens)
        except NoAnswer as error:
            said = _Said("", meter.tokens, str(error))
        except (ProposerError, asyncio.CancelledError):
            if meter.tokens.total:
                listener.spent(meter.tokens, self._money(meter.tokens))
            raise
        if said.tokens.input and not said.tokens.estimated:
            self._correction = said.tokens.input / size
        return said

    def _hidden(self, text: str) -> str:
        """`text` of a provider that may repeat the key, without it."""
        return text.replace(self._key, "(key)") if self._key else text
