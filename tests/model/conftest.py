from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio
from fakes.provider import KEY, Provider, answer_events, schema_complaint

from jiti_tui.model.openai_proposer import OpenAIProposer
from jiti_tui.model.view import Check, Datum, Definition, Frame, PauseView, Restart, View
from jiti_tui.model_settings import ModelSettings

SALES_TAX = "(defun sales-tax (price rate) (* price rate))"


@pytest.fixture
def idle() -> View:
    return View(
        world="Sales tax calculator",
        packages=("SALES-TAX",),
        generation=4,
        revision=2,
        request="Use different rates for food and non-food items.",
        goals=("food total is 102.00", "clothing total is 108.00"),
        definitions=(Definition("function", "sales-tax", "SALES-TAX", SALES_TAX),),
        data=(Datum(":count", "3"),),
        checks=(
            Check("goal", "food total is 102.00", False, "TYPE-ERROR", True),
            Check("goal", "the tax on 100.00 is 5.00", False, "wrong number of arguments", False),
            Check("invariant", "tax is never negative", True, "", True),
        ),
        outcomes=('Restored: "food total is never below price" broke.',),
    )


@pytest.fixture
def paused(idle: View) -> View:
    return View(
        world=idle.world,
        packages=idle.packages,
        generation=5,
        revision=2,
        request=idle.request,
        paused=PauseView(
            level=1,
            type="UNBOUND-VARIABLE",
            condition="The variable *RATES* is unbound.",
            restarts=(
                Restart("1/0", "continue", "Retry using *RATES*.", 0, 0),
                Restart("1/1", "use-value", "Use specified value.", 1, 1),
                Restart("1/2", "use-value", "Use a value for the whole form.", 1, 1),
                Restart("1/3", "abandon", "Drop the attempt.", 0, 0),
            ),
            frames=(Frame("(food-rate :food)", "repair 1"),),
            output="half a line",
        ),
    )


@pytest.fixture
def strict_complaint() -> Callable[[Any], str | None]:
    """Why OpenAI's strict mode would refuse a schema, None when it would not."""
    return schema_complaint


@pytest.fixture(name="answer_events")
def answer_events_fixture() -> Callable[..., list[dict[str, Any]]]:
    """The events of a complete answer: `answer_events(text, pieces, tokens)`."""
    return answer_events


@pytest_asyncio.fixture
async def make(provider: Provider) -> AsyncIterator[Callable[..., OpenAIProposer]]:
    """`make(settings, base_url, seconds=...)` is a proposer that asks the test's own server."""
    made: list[OpenAIProposer] = []

    def make_proposer(
        settings: ModelSettings | None = None, base_url: str | None = None, **options: Any
    ) -> OpenAIProposer:
        url = base_url or provider.base_url
        settings = (settings or ModelSettings()).model_copy(update={"seconds": 30.0, **options})
        made.append(OpenAIProposer(settings, KEY, url, Path("/home/me/worlds/sales_tax"), first_pause=0.01))
        return made[-1]

    yield make_proposer
    for proposer in made:
        await proposer.close()
