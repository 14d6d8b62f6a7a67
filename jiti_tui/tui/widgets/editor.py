"""The multi-line editor that lies over the stage."""

from __future__ import annotations

from textual import events
from textual.geometry import Region
from textual.message import Message
from textual.widgets import TextArea

from jiti_tui.tui.keys.typing import LEAVE
from jiti_tui.tui.text.literal import literal


class Editor(TextArea):
    """Edits Lisp forms. Esc posts `Left` with the text."""

    DEFAULT_CSS = """
    Editor { position: absolute; border: none; padding: 0 1; layer: editor; }
    Editor:focus { border: none; }
    """

    class Left(Message):
        """The operator has left the editor."""

        def __init__(self, text: str) -> None:
            super().__init__()
            self.text = text

    def __init__(self, text: str) -> None:
        super().__init__(editable(text), soft_wrap=True, show_line_numbers=False, tab_behavior="indent")
        self.cursor_blink = False

    def put(self, region: Region) -> None:
        """Move to `region` of the screen."""
        self.styles.offset = region.offset
        self.styles.width = region.width
        self.styles.height = region.height

    def on_key(self, event: events.Key) -> None:
        """Leave on Esc. It is taken here, in the order of the keys, so that nothing typed before it is lost."""
        if event.key in LEAVE:
            event.prevent_default()
            event.stop()
            self.read_only = True
            self.post_message(self.Left(self.text))

    def on_paste(self, event: events.Paste) -> None:
        """Insert what was pasted, without anything that the terminal would obey."""
        event.prevent_default()
        event.stop()
        self.insert(editable(event.text))


def editable(text: str) -> str:
    """Return `text` with its lines and tabs, and escapes in place of characters that cannot be shown."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join("\t".join(map(literal, line.split("\t"))) for line in lines)
