"""Limits of what a model may use before the operator is asked: `[budget]` of a world.toml or the user's config file."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationError

_OPTION = re.compile(r"(request|session)\.(attempts|tokens|money|seconds)=(\d+(?:\.\d+)?)")


class BudgetSettings(BaseModel):
    """What one request, or one session, may use; None is without limit."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    attempts: Annotated[int, Field(ge=1, le=1_000_000)] | None = None
    """Attempts begun, and answers that were none."""
    tokens: Annotated[int, Field(ge=1, le=10**12)] | None = None
    """Both ways."""
    money: Annotated[float, Field(gt=0, le=1_000_000, allow_inf_nan=False)] | None = None
    """In the currency of `prices` in [model]."""
    seconds: Annotated[float, Field(gt=0, le=10**7, allow_inf_nan=False)] | None = None
    """In which the session works by itself."""


class Budgets(BaseModel):
    """Both of them."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    request: BudgetSettings = BudgetSettings()
    session: BudgetSettings = BudgetSettings()

    def over(self, other: Budgets) -> Budgets:
        """These, with what they leave open taken from `other`."""
        return Budgets(request=_over(self.request, other.request), session=_over(self.session, other.session))


def read_option(text: str) -> Budgets:
    """The limit in a command line's `request.tokens=50000`. Raises ValueError with a sentence."""
    found = _OPTION.fullmatch(text)
    number = float(found[3]) if found else 0.0
    try:
        if found is None:
            raise ValueError
        value = number if found[2] in ("money", "seconds") else int(found[3])
        return Budgets.model_validate({found[1]: {found[2]: value}})
    except (ValidationError, ValueError):
        raise ValueError(
            f"{text!r} is no limit: write one such as request.attempts=20, session.tokens=500000, session.money=2.50 "
            "or request.seconds=600"
        ) from None


def _over(first: BudgetSettings, second: BudgetSettings) -> BudgetSettings:
    limits = second.model_dump(exclude_none=True) | first.model_dump(exclude_none=True)
    return BudgetSettings.model_validate(limits)
