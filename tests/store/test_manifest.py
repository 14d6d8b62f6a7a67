"""Manifests and records: what is written comes back, and the identity is what docs/store.md says."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jiti_tui import __version__
from jiti_tui.store.drill.story import CONTENTS, manifest_of
from jiti_tui.store.manifest import FORMAT, MAX_EVIDENCE, ManifestError, bounded, seal, unseal
from jiti_tui.store.record import decode, encode
from jiti_tui.store.store import Store

TEXT = st.text(st.characters(codec=None), max_size=20)
KEYS = st.from_regex(r"[a-z][a-z0-9_]{0,6}", fullmatch=True).filter(lambda key: key != "lines")
ATOMS = st.none() | st.just(True) | st.integers(-(10**30), 10**30) | TEXT
VALUES = st.recursive(
    ATOMS,
    lambda inner: st.lists(inner, min_size=1, max_size=4) | st.dictionaries(KEYS, inner, min_size=1, max_size=4),
    max_leaves=12,
)
RECORDS = st.dictionaries(KEYS, VALUES, max_size=5)


@settings(deadline=None)
@given(RECORDS)
def test_a_record_comes_back_on_one_line(record: dict[str, Any]) -> None:
    line = encode(record)
    assert b"\n" not in line
    assert decode(line) == record


def test_what_has_no_form_of_its_own_comes_back_as_the_format_says() -> None:
    record = {"ok": False, "goals": [], "fields": {}, "seconds": 0.5, "pair": (1, None)}
    assert decode(encode(record)) == {"ok": None, "goals": None, "fields": None, "seconds": "0.5", "pair": [1, None]}


@pytest.mark.parametrize(
    "line", [b"", b"1", b'"x"', b"(:a)", b"(:a :b)", b"(:lines 1)", b"(1 2)", b"(:a 1 :a 2)", b"\xff"]
)
def test_a_line_that_is_no_record(line: bytes) -> None:
    with pytest.raises(ValueError, match=r".+"):
        decode(line)


def test_a_manifest_comes_back(store: Store) -> None:
    staged = store.stage(2, *CONTENTS[2])
    manifest = manifest_of(staged)
    assert unseal(seal(manifest)) == manifest
    assert seal(manifest).count(b"\n") > 10


def test_the_seal_and_the_identity_can_be_computed_by_hand(store: Store, directory: Path) -> None:
    content = (directory / "revision-1" / "manifest.sexp").read_bytes()
    first, rest = content.split(b"\n", 1)
    assert first == f'(:seal "{hashlib.sha256(rest).hexdigest()}")'.encode()
    parent = unseal((directory / "revision-0" / "manifest.sexp").read_bytes())
    revision = directory / "revision-1"
    hashes = {
        path.relative_to(revision).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in revision.rglob("*")
        if path.is_file() and path.name != "manifest.sexp"
    }
    assert sorted(hashes) == ["data.sexp", "data/0000000000000001.sexp", "files/docs/a.txt", "world.lisp"]
    lines = ["revision 1", f"parent {parent.id}", *(f"file {hashes[name]} {name}" for name in sorted(hashes)), ""]
    identity = "\n".join(lines)
    assert unseal(content).id == hashlib.sha256(identity.encode()).hexdigest()
    assert (parent.parent, unseal(content).parent) == (None, 0)


def sealed(body: str) -> bytes:
    return f'(:seal "{hashlib.sha256(body.encode()).hexdigest()}")\n{body}'.encode()


def test_a_newer_format_is_refused_by_its_number() -> None:
    known = f"has format 9, and jiti-tui {__version__} reads {FORMAT}; use"
    with pytest.raises(ManifestError, match=f"{known} jiti-tui 7.1 or newer"):
        unseal(sealed('(:format 9 :jiti "7.1" :shape :new)\n'))
    for said in ("", ':jiti "7.1\x1b[31m"', ":jiti 7", f':jiti "{"7" * 41}"'):
        with pytest.raises(ManifestError, match=f"{known} the jiti-tui that wrote it"):
            unseal(sealed(f"(:format 9 :shape :new {said})\n"))


@pytest.mark.parametrize(
    ("field", "changed", "match"),
    [
        (":revision 1", ":revision t", "revision holds a bool, not a int"),
        (":goals (1 4)", ":goals (1)", "goals has a row of 1 items"),
        (":origin \"operator\"", ":origin :operator", "origin holds a Keyword"),
        (":sbcl", ":lisp", "sbcl is missing"),
        ("(:format", "(:format 1 :format", "is sealed, but does not read"),
        (":time \"2027", ":time \"soon", "is sealed, but does not read"),
        (":events (", ":events (1 ", "events holds a int"),
    ],
)  # fmt: skip
def test_a_sealed_manifest_of_another_shape(
    store: Store, directory: Path, field: str, changed: str, match: str
) -> None:
    body = (directory / "revision-1" / "manifest.sexp").read_text().split("\n", 1)[1]
    assert field in body
    with pytest.raises(ManifestError, match=match):
        unseal(sealed(body.replace(field, changed, 1)))


def test_evidence_beyond_all_bounds_is_dropped_from_the_far_end(store: Store) -> None:
    events = [{"event": "value", "output": "x" * (MAX_EVIDENCE // 4), "number": number} for number in range(9)]
    kept = bounded(events)
    assert kept[0] == {"event": "dropped", "records": 6}
    assert [event["number"] for event in kept[1:]] == [6, 7, 8]
    assert bounded(events[:2]) == tuple(events[:2])


def test_a_heading_is_the_manifest_without_its_events(store: Store) -> None:
    manifest = manifest_of(store.stage(2, *CONTENTS[2]))
    tricky = replace(manifest, request='"\n :events (1)\n', summary="\n :events ", events=({"text": "\n :events nil"},))
    assert unseal(seal(tricky)) == tricky
    assert unseal(seal(tricky), evidence=False) == replace(tricky, events=())
    assert unseal(seal(replace(tricky, events=())), evidence=False) == replace(tricky, events=())
    with pytest.raises(ManifestError):
        unseal(seal(tricky)[:-3], evidence=False)
