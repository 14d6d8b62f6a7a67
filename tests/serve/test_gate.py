"""Who is let in, decided by path, Host and Origin."""

from __future__ import annotations

import pytest

from jiti_tui.serve.gate import Gate, new_token

TOKEN = "q3Gw-" * 8 + "Cu7"


@pytest.mark.parametrize(
    "host", ["127.0.0.1:8000", "127.0.0.1", "localhost:9000", "LOCALHOST", "[::1]:8000", "127.8.0.1:1"]
)
def test_every_name_of_loopback_is_answered_at_any_port(host: str) -> None:
    """The near end of an SSH tunnel is a port of its own."""
    gate = Gate(TOKEN)
    assert gate.refusal(f"/{TOKEN}/", host, None, needs_origin=False) == ""
    assert gate.refusal(f"/{TOKEN}/ws", host, f"http://{host}", needs_origin=True) == ""


@pytest.mark.parametrize(
    "host",
    [
        None,
        "",
        "example.com",
        "localhost.example.com",
        "127.0.0.1.example.com",
        "192.168.0.1:80",
        "localhost:80@example.com",
        "localhost:",
        "127.0.0.1:8000\n",
        "[::1",
        "[::2]:80",
        "١27.0.0.1",
    ],
)
def test_other_names_are_refused_with_the_right_token_too(host: str | None) -> None:
    """A page whose own name has come to mean this machine sends that name."""
    assert "loopback" in Gate(TOKEN).refusal(f"/{TOKEN}/", host, None, needs_origin=False)


@pytest.mark.parametrize(
    "path",
    [
        "/",
        "//",
        "",
        "*",
        "/ws",
        f"/{TOKEN[:-1]}/",
        f"/{TOKEN}x/",
        f"/{TOKEN.swapcase()}/",
        f"//{TOKEN}/",
        f"/x/../{TOKEN}/",
        f"/static/{TOKEN}",
        f"/?token={TOKEN}",
        "/\ud800/",
    ],
)
def test_other_paths_are_refused(path: str) -> None:
    assert "token" in Gate(TOKEN).refusal(path, "localhost:8000", None, needs_origin=False)


@pytest.mark.parametrize(
    ("origin", "needs_origin"),
    [
        (None, True),
        ("null", True),
        ("http://localhost:8001", True),
        ("https://localhost:8000", True),
        ("http://127.0.0.1:8000", True),
        ("http://example.com", True),
        ("http://example.com", False),
        ("http://localhost:8000.example.com", False),
    ],
)
def test_other_pages_are_refused(origin: str | None, needs_origin: bool) -> None:
    assert "origin" in Gate(TOKEN).refusal(f"/{TOKEN}/ws", "localhost:8000", origin, needs_origin=needs_origin)


def test_tokens_differ_and_are_long() -> None:
    tokens = {new_token() for _ in range(100)}
    assert len(tokens) == 100
    assert min(map(len, tokens)) >= 43
