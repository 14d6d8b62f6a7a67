"""The screen is up soon because it imports little."""

from __future__ import annotations

import subprocess
import sys

FORBIDDEN = ["openai", "pydantic", "sexpdata", "textual.widgets._text_area"]


def test_the_app_imports_nothing_heavy() -> None:
    program = "import sys, jiti_tui.tui.app; print('\\n'.join(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
    assert "textual.app" in loaded
    assert not set(FORBIDDEN) & set(loaded)
