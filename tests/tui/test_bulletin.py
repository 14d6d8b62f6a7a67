"""What stands on the request row, and for how long."""

from __future__ import annotations

from jiti_tui.engine.interface.query_results import Looked
from jiti_tui.engine.interface.snapshot import Notice, Severity, Snapshot
from jiti_tui.tui.bulletin import NEWS_SECONDS, Bulletin


def told(number: int, text: str, severity: Severity = Severity.NEWS, about: str = "") -> Snapshot:
    return Snapshot("w", "w", notice=Notice(number, text, severity, about))


def text(bulletin: Bulletin, now: float, *, covered: bool = False) -> str:
    notice = bulletin.standing(now, covered=covered)
    return notice.text if notice is not None else ""


def test_news_pass_and_are_not_told_again() -> None:
    bulletin = Bulletin()
    bulletin.read(told(1, "one"))
    assert text(bulletin, 0.0) == "one"
    assert bulletin.passes_in(3.0) == NEWS_SECONDS - 3
    bulletin.key_pressed()
    assert text(bulletin, 7.9) == "one"
    assert text(bulletin, 8.0) == ""
    bulletin.read(told(1, "one"))
    assert text(bulletin, 9.0) == ""
    assert bulletin.passes_in(9.0) is None


def test_news_beneath_a_prompt_wait_for_its_end() -> None:
    bulletin = Bulletin()
    bulletin.read(told(1, "one"))
    text(bulletin, 0.0, covered=True)
    text(bulletin, 100.0, covered=True)
    assert text(bulletin, 101.0) == "one"
    assert text(bulletin, 108.9) == "one"
    assert text(bulletin, 109.0) == ""


def test_an_error_comes_back_after_news_until_a_key() -> None:
    bulletin = Bulletin()
    bulletin.read(told(1, "error", Severity.ERROR))
    bulletin.read(told(2, "news"))
    assert text(bulletin, 0.0) == "news"
    bulletin.key_pressed()
    assert text(bulletin, 8.0) == "error"
    assert text(bulletin, 1000.0) == "error"
    bulletin.key_pressed()
    assert text(bulletin, 1001.0) == ""


def test_an_error_about_what_newer_news_are_about_is_over() -> None:
    bulletin = Bulletin()
    bulletin.read(told(1, "line 2: a parenthesis is missing", Severity.ERROR, "files"))
    bulletin.read(told(2, "reloaded", about="files"))
    assert text(bulletin, 0.0) == "reloaded"
    bulletin.read(told(3, "line 3: a parenthesis is missing", Severity.ERROR, "files"))
    assert text(bulletin, 1.0) == "line 3: a parenthesis is missing"
    assert bulletin.passes_in(1.0) is None
    bulletin.read(told(4, "the disk is full", Severity.ERROR))
    bulletin.read(told(5, "reloaded", about="files"))
    assert text(bulletin, 2.0) == "reloaded"
    assert text(bulletin, 10.0) == "the disk is full"


def test_news_behind_an_error_grow_old() -> None:
    bulletin = Bulletin()
    bulletin.read(told(1, "news"))
    bulletin.read(told(2, "error", Severity.ERROR))
    assert text(bulletin, 0.0) == "error"
    bulletin.key_pressed()
    assert text(bulletin, 1.0) == "news"
    assert text(bulletin, 8.0) == ""


def test_a_look_stands_with_its_seconds_until_its_answer() -> None:
    bulletin = Bulletin()
    bulletin.look("(loop)", 10.0)
    assert text(bulletin, 10.0) == "Evaluating for 0 s, Esc stops: (loop)"
    bulletin.key_pressed()
    bulletin.look("1", 12.0)
    assert text(bulletin, 13.5) == "Evaluating for 1 s, Esc stops: 1"
    one = Looked(1, "1", True, "1")
    assert bulletin.read(Snapshot("w", "w", looked=one)) is one
    bulletin.answer(one)
    assert text(bulletin, 14.0) == "1 => 1"
    bulletin.key_pressed()
    assert text(bulletin, 14.0) == "Evaluating for 4 s, Esc stops: (loop)"
    bulletin.read(Snapshot("w", "w", looked=Looked(2, "(loop)", False, "TIME-LIMIT: too long")))
    assert not bulletin.looking
    assert text(bulletin, 20.0) == ""
