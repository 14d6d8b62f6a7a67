"""What was typed in earlier sessions, and what is copied."""

from __future__ import annotations

import base64
import json
import stat
from pathlib import Path

from fakes.keyboard import Make, follow, keys

from jiti_tui.tui import past as past_module
from jiti_tui.tui.clipboard import LONGEST_SEQUENCE, copied, osc52
from jiti_tui.tui.editor import editor_command, inside_folder
from jiti_tui.tui.past import Past
from jiti_tui.tui.state.errand import CopyText


def home(tmp_path: Path, **more: str) -> dict[str, str]:
    return {"HOME": str(tmp_path), "XDG_STATE_HOME": "", **more}


def test_what_was_sent_comes_back_to_its_author_alone(tmp_path: Path) -> None:
    past = Past(home(tmp_path))
    for text in ("(first)", "(second\n  line)", "(first)"):
        past.keep("look", text)
    past.keep("request", "Sell apples.")
    again = Past(home(tmp_path)).memory()
    assert again.sent["look"] == ("(second\n  line)", "(first)")
    assert again.sent["request"] == ("Sell apples.",)
    assert stat.S_IMODE(past.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(past.path.parent.stat().st_mode) == 0o700


def test_keys_are_not_kept(tmp_path: Path) -> None:
    past = Past(home(tmp_path, OTHER_API_KEY="very-secret-value"))
    for text in ("use sk-proj-abcdefghijklmnop", "Bearer abcdefghijklmnop", "it is very-secret-value", " "):
        past.keep("request", text)
    assert not past.path.exists()


def test_a_long_or_torn_file_is_no_trouble(tmp_path: Path, monkeypatch: object) -> None:
    past = Past(home(tmp_path))
    past.keep("look", "(kept)")
    with past.path.open("a") as file:
        file.write('{"prompt": "look", "te')
    assert past.memory().sent["look"] == ("(kept)",)
    lines = "".join(json.dumps({"prompt": "look", "text": f"(f {n}) {'x' * 5000}"}) + "\n" for n in range(400))
    past.path.write_text(lines)
    past.keep("look", "(last)")
    assert past.path.stat().st_size < past_module._MOST_BYTES
    assert past.memory().sent["look"][-1] == "(last)"
    past.path.unlink()
    past.path.mkdir()
    past.keep("look", "(lost)")
    assert past.memory().sent == {}


def test_the_past_is_searched(shown: Make) -> None:
    _, _, sent = keys(shown("held"), ":", "text (price 1)", "enter", ":", "text (total 2)", "enter", ":", "text draft")
    _, _, found = keys(sent, "ctrl+r", "text r", "text i")
    assert found.scene.view.typed.text == "(price 1)"
    assert found.scene.view.typed.search.text == "ri"
    assert keys(found, "backspace", "backspace", "text (")[2].scene.view.typed.text == "(total 2)"
    older = keys(sent, "ctrl+r", "text (", "ctrl+r")[2]
    assert older.scene.view.typed.text == "(price 1)"
    assert keys(older, "Esc")[2].scene.view.typed.text == "draft"
    commands, _, taken = keys(older, "enter")
    assert (commands, taken.scene.view.typed.text, taken.scene.view.typed.search) == ([], "(price 1)", None)
    assert keys(older, "left", "text 9")[2].scene.view.typed.text == "(price 19)"
    assert follow(found, found.scene.view).scene.view.prompt is not None


def test_copying_goes_by_osc_52_and_to_a_file(tmp_path: Path) -> None:
    done = copied(CopyText("the draft", "(ä)"), home(tmp_path))
    assert done.sequence == f"\x1b]52;c;{base64.b64encode('(ä)'.encode()).decode()}\x07"
    assert done.notice == "Copied 3 characters of the draft by OSC 52; also in ~/.local/state/jiti-tui/copied.txt."
    kept = tmp_path / ".local/state/jiti-tui/copied.txt"
    assert kept.read_text() == "(ä)"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_copying_names_what_stands_in_its_way(tmp_path: Path) -> None:
    sequence, way = osc52("x", {"TMUX": "/tmp/tmux"})
    assert (sequence, way) == ("\x1bPtmux;\x1b\x1b]52;c;eA==\x07\x1b\\", "by OSC 52 through tmux, if it lets that pass")
    assert osc52("x", {"TERM": "linux"}) == ("", "this console has no clipboard")
    assert osc52("x" * LONGEST_SEQUENCE, {})[0] == ""
    (tmp_path / ".local").write_text("in the way")
    assert "cannot be written" in copied(CopyText("the page", "x"), home(tmp_path, TERM="linux")).notice


def test_editors_take_a_line_where_they_can(tmp_path: Path) -> None:
    path = tmp_path / "goals.lisp"
    assert editor_command(path, 7, {"VISUAL": "/usr/bin/nvim -R", "EDITOR": "ed"}) == [
        "/usr/bin/nvim",
        "-R",
        "+7",
        str(path),
    ]
    assert editor_command(path, 7, {"EDITOR": "code --wait"}) == ["code", "--wait", str(path)]
    assert editor_command(path, 0, {"EDITOR": "vi"}) == ["vi", str(path)]
    assert editor_command(path, 7, {"EDITOR": "'unclosed", "PATH": ""}) == []
    assert inside_folder(tmp_path, "goals.lisp") == path.resolve()
    assert inside_folder(tmp_path, "../goals.lisp") is None
    assert inside_folder(None, "goals.lisp") is None
    (tmp_path / "link.lisp").symlink_to("/etc/passwd")
    assert inside_folder(tmp_path, "link.lisp") is None
