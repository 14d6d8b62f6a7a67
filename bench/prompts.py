"""What a step of a model costs: how much of a prompt its provider has seen before, and how it grows with the world."""

from __future__ import annotations

import asyncio
import json
import shutil
import tempfile
from collections.abc import Sequence
from itertools import pairwise, takewhile
from pathlib import Path

from bench.rows import Row
from jiti_tui.engine.engine import Engine
from jiti_tui.engine.interface.commands import Go
from jiti_tui.engine.interface.options import Options
from jiti_tui.engine.interface.phase import Mode
from jiti_tui.model.prompt import prompt
from jiti_tui.model.proposer import Answer, Listener
from jiti_tui.model.replay import ReplayProposer
from jiti_tui.model.schema import action_schema
from jiti_tui.model.tokens import estimate
from jiti_tui.model.view import Check, Definition, View
from jiti_tui.model_settings import ModelSettings
from jiti_tui.world.folder import read_world

DEMO = Path("demo_worlds/sales_tax")
GOAL_SHARE = 0.8
SIZES = (10, 100, 1000)
BUDGET = ModelSettings().view_tokens
SECONDS = 60


class Onlooker(ReplayProposer):
    """Plays a transcript and keeps the views that a model would have been shown."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.views: list[View] = []

    async def propose(self, view: View, listener: Listener, variant: int = 0) -> Answer:
        """As a replay."""
        self.views.append(view)
        return await super().propose(view, listener, variant)


async def measure() -> list[Row]:
    """The share of the demo's prompts that the step before has sent, and tokens a step in worlds of three sizes."""
    views = await asyncio.to_thread(demo_views)
    texts = [_text(view) for view in views]
    whole = [json.dumps(action_schema(view, pinned=False)) + text for view, text in zip(views, texts, strict=True)]
    rows = [
        _share_row("prompt that the last step has sent, in the demo", _share(texts), goal=GOAL_SHARE),
        # OpenAI's cache takes the schema for the beginning of the prompt, and each menu of restarts is one of its own.
        _share_row("the same, the schema before it counted", _share(whole)),
        _unsent_row(whole),
    ]
    rules = estimate(texts[0][: texts[0].index("# World")])
    for size in SIZES:
        tokens = estimate(_text(world_of(size)))
        name, remark = f"a step's prompt, {size:,} definitions", "no more than the budget and the rules"
        rows.append(Row(name, tokens, "the budget", BUDGET, remark, met=tokens <= BUDGET + rules, unit="tokens"))
    return rows


def _share_row(name: str, share: float, goal: float | None = None) -> Row:
    if goal is None:
        return Row(name, 100 * share, "the whole prompt", 100, "each menu of a pause is a schema of its own", unit="%")
    return Row(name, 100 * share, "the whole prompt", 100, f"{goal:.0%} or more", met=share >= goal, unit="%")


def _unsent_row(texts: Sequence[str]) -> Row:
    """What a step costs in full, where all that a step before it has begun with is in the provider's cache."""
    unsent = [
        estimate(text[max(_common(before, text) for before in texts[:index]) :])
        for index, text in enumerate(texts)
        if index
    ]
    tokens = sum(unsent) / len(unsent)
    every = sum(map(estimate, texts[1:])) / len(unsent)
    return Row("a step's tokens that no step before has sent", tokens, "all, with the schema", every, unit="tokens")


def demo_views() -> Sequence[View]:
    """The views of the demo's whole story, in order."""
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(DEMO, Path(folder) / DEMO.name, ignore=shutil.ignore_patterns("store"))
        world = read_world(copy)
        onlooker = Onlooker(copy / "transcript.jsonl")
        engine = Engine(
            world,
            Options(mode=Mode.AUTO, headless=True, unsandboxed=True, proposer=onlooker),
            on_snapshot=lambda _: None,
        )
        engine.start()
        engine.send(Go())
        engine.join(SECONDS)
    return onlooker.views


def world_of(size: int) -> View:
    """A view of a world of `size` functions, each of which calls another, with a goal that fails on one of them."""
    definitions = tuple(
        Definition(
            "function",
            f"step-{number}",
            "LARGE",
            f"(defun step-{number} (item &optional (rate 0.05))\n"
            '  "Works on ITEM as the part before it does, at RATE."\n'
            f"  (if (plusp rate)\n      (* rate (step-{max(0, number - 1)} item))\n      (list item rate {number})))",
            f"(step-{number} item &optional (rate 0.05))",
            "Works on ITEM as the part before it does, at RATE.",
        )
        for number in range(size)
    )
    goal = Check("goal", "the last step doubles", False, "NIL", True, f"(= (step-{size - 1} 1 2) 2)")
    return View("A large world", ("LARGE",), 1, 1, "Double.", (goal.name,), definitions=definitions, checks=(goal,))


def _text(view: View) -> str:
    words = prompt(view, BUDGET)
    return words.instructions + words.input


def _share(texts: Sequence[str]) -> float:
    """How much of all but the first begins as the one before it, of their length in all."""
    same = sum(_common(before, text) for before, text in pairwise(texts))
    return same / sum(map(len, texts[1:]))


def _common(one: str, other: str) -> int:
    """How many characters both begin with."""
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False)))
