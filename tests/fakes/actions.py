"""An answer of a model to the view of `tests/model`, and the text of which it is made."""

from __future__ import annotations

import json
from typing import Any

EVALUATE: dict[str, Any] = {
    "kind": "evaluate",
    "generation": 4,
    "rationale": 'Two "rates" \u2014 one each.',
    "forms": "(defun f ())\n",
}
TEXT = json.dumps({"action": EVALUATE})
