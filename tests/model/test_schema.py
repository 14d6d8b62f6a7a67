from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from jiti_tui.model.action import parse_action
from jiti_tui.model.schema import action_schema
from jiti_tui.model.view import View


def branches(view: View, *, pinned: bool = True) -> dict[str, Any]:
    found = action_schema(view, pinned=pinned)["properties"]["action"]["anyOf"]
    return {branch["properties"]["kind"]["const"]: branch["properties"] for branch in found}


def test_strict_mode_takes_the_schema(idle: View, paused: View, strict_complaint: Callable[[Any], str | None]) -> None:
    for view in (idle, paused):
        for pinned in (True, False):
            assert strict_complaint(action_schema(view, pinned=pinned)) is None


def test_only_legal_kinds_and_the_views_generation(idle: View, paused: View) -> None:
    for view in (idle, paused):
        found = branches(view)
        assert set(found) == set(view.legal)
        for properties in found.values():
            assert list(properties)[:3] == ["kind", "generation", "rationale"]
            assert properties["generation"]["enum"] == [view.generation]


def test_the_schema_of_the_next_generation_is_the_same_unless_it_is_pinned(idle: View) -> None:
    later = replace(idle, generation=idle.generation + 1)
    assert action_schema(later, pinned=False) == action_schema(idle, pinned=False)
    assert action_schema(later, pinned=True) != action_schema(idle, pinned=True)


def test_restarts_are_the_live_ones(paused: View) -> None:
    assert branches(paused)["resume"]["restart"]["enum"] == ["1/0", "1/1", "1/2", "1/3"]
    assert paused.paused
    empty = replace(paused, paused=replace(paused.paused, restarts=()))
    assert "resume" not in branches(empty)


def test_what_follows_the_schema_is_an_action(idle: View, paused: View) -> None:
    for view in (idle, paused):
        for properties in branches(view).values():
            action = {key: _example(schema) for key, schema in properties.items()}
            assert parse_action(json.dumps({"action": action}), view.legal).model_dump(mode="json") == action


def _example(schema: dict[str, Any]) -> Any:
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][-1]
    return ["1"] if schema["type"] == "array" else "x"
