from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from fakes.listener import Ear

from jiti_tui.errors import ProposerError, TranscriptEnded, WorldFolderError
from jiti_tui.model.action import Evaluate, GoBack, InvalidAction, Resume, parse_action
from jiti_tui.model.proposer import Answer
from jiti_tui.model.replay import ReplayProposer
from jiti_tui.model.view import View

DEMO_WORLDS = Path(__file__).parents[2] / "demo_worlds"
EVALUATE = {"kind": "evaluate", "generation": None, "rationale": "why", "forms": "(x)"}


Record = Callable[[str | bytes], Path]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """Write a transcript."""

    def write(content: str | bytes) -> Path:
        path = tmp_path / "transcript.jsonl"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def line(**action: Any) -> str:
    return json.dumps({"action": action}) + "\n"


async def answer(path: Path, view: View) -> Answer:
    return await ReplayProposer(path).propose(view, Ear())


async def test_lines_are_used_up_from_the_top(record: Record, idle: View) -> None:
    transcript = record(line(**EVALUATE) + "\n" + line(**{**EVALUATE, "generation": 1}) + line(**EVALUATE))
    proposer = ReplayProposer(transcript)
    assert (proposer.name, proposer.recorded, proposer.costs_money) == ("replay transcript.jsonl", True, False)
    ear = Ear()
    first = await proposer.propose(idle, ear)
    assert first.action == Evaluate(generation=idle.generation, rationale="why", forms="(x)")
    assert isinstance(first.raw, dict)
    assert first.raw["action"]["generation"] == idle.generation
    assert (first.transcript_line, ear.told) == (1, ["why"])
    second = await proposer.propose(replace(idle, transcript_line=1), ear)
    assert (second.action and second.action.generation, second.transcript_line) == (1, 3)
    third = await proposer.propose(replace(idle, transcript_line=3), ear)
    assert third.transcript_line == 4
    with pytest.raises(TranscriptEnded, match=r"transcript\.jsonl has no answer left after line 4"):
        await proposer.propose(replace(idle, transcript_line=4), ear)
    await proposer.close()


async def test_a_byte_order_mark_and_other_line_ends_are_no_part_of_the_answers(record: Record, idle: View) -> None:
    transcript = record(b"\xef\xbb\xbf" + line(**EVALUATE).encode().replace(b"\n", b"\r\n"))
    told = await answer(transcript, idle)
    assert told.action == Evaluate(generation=idle.generation, rationale="why", forms="(x)")


async def test_a_transcript_alone_can_go_back(record: Record, idle: View, paused: View) -> None:
    back = {"kind": "go-back", "generation": None, "rationale": "", "revision": 1}
    transcript = record(line(**back) + line(**{**back, "revision": -1}))
    given = await answer(transcript, idle)
    assert given.action == GoBack(generation=idle.generation, revision=1)
    assert (
        "revision of the action go-back is wrong"
        in (await answer(transcript, replace(idle, transcript_line=1))).invalid
    )
    assert "go-back cannot be carried out now" in (await answer(transcript, paused)).invalid
    with pytest.raises(InvalidAction, match="go-back cannot be carried out now"):
        parse_action(given.raw, idle.legal)


@pytest.mark.parametrize("path", sorted(DEMO_WORLDS.glob("*/transcript.jsonl")), ids=lambda path: path.parent.name)
async def test_recorded_answers_of_the_demo_worlds_are_actions(path: Path, idle: View, paused: View) -> None:
    proposer = ReplayProposer(path)
    line = 0
    while True:
        try:
            answer = await proposer.propose(replace(idle, transcript_line=line), Ear())
            if "cannot be carried out now" in answer.invalid:
                answer = await proposer.propose(replace(paused, transcript_line=line), Ear())
        except TranscriptEnded:
            break
        assert answer.action, answer.invalid
        line = answer.transcript_line or 0
    assert line > 0


@pytest.mark.parametrize("content", [b"", b"\n", b"  \n\n"])
async def test_an_empty_transcript_has_ended(record: Record, idle: View, content: bytes) -> None:
    transcript = record(content)
    with pytest.raises(TranscriptEnded):
        await answer(transcript, idle)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"(x)\n", "Line 1 of the transcript: The answer is not JSON"),
        (b'{"action": \xff}\n', "Line 1 of the transcript: The answer is not UTF-8"),
        (b"[1]\n", "not an object of the shape"),
        (b'{"action": []}\n', "not an object of the shape"),
        (line(kind="repair", generation=None, rationale="", forms="1").encode(), "repair cannot be carried out now"),
        (line(kind="evaluate", rationale="", forms="1").encode(), "lacks its generation"),
    ],
)
async def test_a_line_that_is_no_action_is_used_up(record: Record, idle: View, content: bytes, reason: str) -> None:
    transcript = record(content)
    given = await answer(transcript, idle)
    assert given.action is None
    assert reason in given.invalid
    assert given.transcript_line == 1


@pytest.mark.parametrize(
    ("restart", "expected"),
    [("continue", "1/0"), ("use-value", "1/1"), ("USE-VALUE", "1/1"), ("1/2", "1/2"), ("0/9", "0/9")],
)
async def test_the_name_of_a_restart_means_the_innermost(
    record: Record, paused: View, restart: str, expected: str
) -> None:
    transcript = record(line(kind="resume", generation=None, rationale="", restart=restart, arguments=["1"]))
    given = await answer(transcript, paused)
    assert given.action == Resume(generation=5, rationale="", restart=expected, arguments=("1",))


async def test_a_restart_that_is_not_in_the_menu(record: Record, paused: View) -> None:
    transcript = record(line(kind="resume", generation=None, rationale="", restart="retry", arguments=[]))
    given = await answer(transcript, paused)
    assert given.action is None
    assert 'No restart is named "retry" now; the menu has 1/0 continue, 1/1 use-value' in given.invalid


def test_there_must_be_a_transcript(tmp_path: Path) -> None:
    transcript = tmp_path / "transcript.jsonl"
    with pytest.raises(WorldFolderError, match="is not there, or not a file"):
        ReplayProposer(transcript)
    os.mkfifo(transcript)
    with pytest.raises(WorldFolderError, match="is not there, or not a file"):
        ReplayProposer(transcript)


async def test_a_transcript_that_goes_away(record: Record, idle: View) -> None:
    transcript = record(line(**EVALUATE))
    proposer = ReplayProposer(transcript)
    await asyncio.to_thread(transcript.unlink)
    with pytest.raises(ProposerError, match="is not there"):
        await proposer.propose(idle, Ear())
