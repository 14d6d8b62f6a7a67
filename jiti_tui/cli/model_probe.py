"""What `doctor --model` looks at: one tiny call, and what of it works."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jiti_tui.cli.findings import Finding, Verdict
from jiti_tui.cli.plain import one_line
from jiti_tui.errors import ProposerError
from jiti_tui.model.choose import make_openai
from jiti_tui.model.proposer import Answer
from jiti_tui.model.tokens import Tokens
from jiti_tui.model.view import View
from jiti_tui.model_settings import ModelSettings, UserModelSettings, settings_for

_VIEW = View(
    world="A test of the connection",
    packages=("TEST",),
    generation=1,
    revision=0,
    request="Answer with the action inspect and the expression (+ 1 1). This is a test of the connection.",
)


@dataclass(slots=True)
class _Heard:
    """Counts what a call tells while it is under way, and waits for nothing: a probe says what happens now."""

    pieces: int = 0
    failures: list[str] = field(default_factory=list)

    def rationale(self, text: str) -> None:
        self.pieces += bool(text)

    async def wait(self, _seconds: float, reason: str) -> None:
        raise ProposerError(reason, family="transient")

    def spent(self, _tokens: Tokens, _money: float) -> None:
        """A probe has no budget."""


async def probe_model(
    world: ModelSettings, path: Path, environ: Mapping[str, str], user: UserModelSettings
) -> list[Finding]:
    """Ask the model once, as a session on the world in `path` would; what came of it, a line each."""
    settings = settings_for(world, user)
    try:
        proposer = make_openai(world, path, environ, user)
    except ProposerError as error:
        return [Finding(Verdict.MISSING, "model", one_line(str(error), 600))]
    heard = _Heard()
    started = time.monotonic()
    try:
        answer = await proposer.propose(_VIEW, heard)
    except ProposerError as error:
        return [Finding(Verdict.MISSING, "model", one_line(f"{proposer.name}: {error}", 600))]
    finally:
        await proposer.close()
    api = "Chat" if settings.api == "chat" else "Responses"
    seconds = time.monotonic() - started
    return [
        Finding(Verdict.OK, "model", f"{proposer.name} answers through the {api} API within {seconds:.1f} s."),
        _schema(answer),
        _streaming(heard),
        _tokens(answer),
    ]


def _schema(answer: Answer) -> Finding:
    if answer.action is not None:
        return Finding(Verdict.OK, "schema", f"The answer follows the schema: {answer.action.kind}.")
    return Finding(Verdict.WARNING, "schema", f"The answer is no action: {one_line(answer.invalid, 300)}")


def _streaming(heard: _Heard) -> Finding:
    if heard.pieces > 1:
        return Finding(Verdict.OK, "streaming", "The rationale arrives while it is written.")
    return Finding(Verdict.NOTE, "streaming", "The answer arrives in one piece: nothing shows while it is written.")


def _tokens(answer: Answer) -> Finding:
    tokens = answer.tokens
    if tokens.estimated:
        return Finding(
            Verdict.NOTE, "tokens", f"The provider counts none: budgets go by an estimate, here of {tokens.total}."
        )
    spent = f"{tokens.input} in ({tokens.cached} cached), {tokens.output} out"
    cost = f", {answer.money:.6f} in money" if answer.money else ""
    return Finding(Verdict.OK, "tokens", f"{spent}{cost}.")
