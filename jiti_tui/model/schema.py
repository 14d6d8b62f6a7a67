"""The JSON schema that an answer to a view must follow, within what OpenAI's strict mode takes.

Strict mode wants an object at the root, `anyOf` only below it, `additionalProperties` false, every key required and no
bounds of strings; a model writes the keys in the order in which they stand here. Source: "Supported schemas" of
OpenAI's guide to Structured Outputs.
"""

from __future__ import annotations

from typing import Any

from jiti_tui.model.action import Kind
from jiti_tui.model.view import View

Schema = dict[str, Any]

_STRING: Schema = {"type": "string"}
_PAYLOADS: dict[Kind, Schema] = {
    "inspect": {"expression": _STRING},
    "evaluate": {"forms": _STRING},
    "finish": {},
    "repair": {"forms": _STRING},
    "abandon": {},
    "resume": {"restart": _STRING, "arguments": {"type": "array", "items": _STRING}},
}
"""What each kind needs, in words in the rules. What is there in every view comes first, what only some pauses have
last: the longer two schemas begin alike, the more of the second may be in a provider's cache.
"""


def action_schema(view: View, *, pinned: bool) -> Schema:
    """The schema of answers to `view`: its legal kinds, and the ids of its live restarts alone.

    `pinned` leaves no other generation than the view's; otherwise the model copies it.
    """
    restarts = [restart.id for restart in view.paused.restarts] if view.paused else []
    # An empty enum is no schema.
    kinds = [kind for kind in _PAYLOADS if kind in view.legal and (kind != "resume" or restarts)]
    generation: Schema = {"type": "integer"}
    if pinned:
        generation = {"type": "integer", "enum": [view.generation]}
    return _object({"action": {"anyOf": [_action(kind, generation, restarts) for kind in kinds]}})


def _action(kind: Kind, generation: Schema, restarts: list[str]) -> Schema:
    payload = dict(_PAYLOADS[kind])
    if kind == "resume":
        payload["restart"] = {**payload["restart"], "enum": restarts}
    return _object(
        {
            "kind": {**_STRING, "const": kind},
            "generation": generation,
            "rationale": _STRING,
            **payload,
        }
    )


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
