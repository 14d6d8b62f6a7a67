"""However the server ends, no process of it is left; what cannot be served is said in a sentence."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Make = Callable[..., Any]
Jiti = Callable[..., subprocess.CompletedProcess[str]]
Family = Callable[[int], set[int]]
WaitGone = Callable[[set[int]], None]

TRYING = '{"action": {"kind": "evaluate", "generation": null, "forms": "(loop)"}}\n'


@pytest.mark.parametrize(
    "number",
    [
        signal.SIGINT,
        pytest.param(signal.SIGTERM, marks=pytest.mark.slow),
        pytest.param(signal.SIGHUP, marks=pytest.mark.slow),
        signal.SIGKILL,
    ],
)
async def test_ended_in_the_middle_of_an_attempt(
    number: signal.Signals, sales_tax: Path, serve: Make, connect: Make, family: Family, wait_gone: WaitGone
) -> None:
    (sales_tax / "transcript.jsonl").write_text(TRYING)
    served = serve(sales_tax, "--proposer", "replay")
    screen = await connect(served)
    await screen.wait("YOUR TURN")
    other = await connect(served)
    await other.wait("READ-ONLY")
    await screen.press("p")
    await screen.wait("Trying")
    pids = family(served.process.pid)
    assert len(pids) > 6
    code, told = served.ended(number)
    assert code == (-signal.SIGKILL if number is signal.SIGKILL else 130)
    assert "Traceback" not in told
    wait_gone(pids)


@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (("/nowhere",), 2, "does not exist"),
        (("{world}", "--host", "0.0.0.0"), 2, "ssh -L"),
        (("{world}", "--host", "192.168.0.1"), 2, "no loopback address"),
        (("{world}", "--host", "example.com"), 2, "must be a loopback address"),
        (("{world}", "--port", "65536"), 2, "no port"),
        (("{world}", "--record", "x.jsonl"), 2, "serve takes no --record"),
    ],
)
def test_errors(arguments: tuple[str, ...], code: int, said: str, sales_tax: Path, jiti: Jiti) -> None:
    ended = jiti("serve", *(argument.format(world=sales_tax) for argument in arguments))
    assert said in ended.stderr
    assert (ended.returncode, ended.stdout) == (code, "")
    assert "Traceback" not in ended.stderr


def test_a_port_that_is_in_use_is_named(sales_tax: Path, jiti: Jiti) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        ended = jiti("serve", sales_tax, "--port", str(port))
    assert ended.returncode == 2
    assert f"Port {port} of 127.0.0.1 is in use" in ended.stderr


def test_a_port_that_was_asked_for_is_taken_again_at_once(sales_tax: Path, serve: Make) -> None:
    with socket.create_server(("::1", 0), family=socket.AF_INET6) as free:
        port = free.getsockname()[1]
    for _ in range(2):
        served = serve(sales_tax, "--host", "::1", "--port", str(port))
        assert served.address.startswith(f"http://[::1]:{port}/")
        served.ended(signal.SIGTERM)


def test_without_its_packages_it_says_how_to_get_them(sales_tax: Path) -> None:
    program = """if True:
        import sys
        from importlib.machinery import PathFinder

        class Hiding(PathFinder):
            @classmethod
            def find_spec(cls, name, *rest):
                return None if name == "textual_serve" else super().find_spec(name, *rest)

        sys.meta_path[:] = [Hiding if finder is PathFinder else finder for finder in sys.meta_path]
        from jiti_tui.cli.main import main
        sys.exit(main(["serve", sys.argv[1]]))
    """
    ended = subprocess.run(
        [sys.executable, "-c", program, str(sales_tax)], capture_output=True, text=True, timeout=60, check=False
    )
    assert (ended.returncode, "pip install 'jiti-tui[serve]'" in ended.stderr) == (2, True)
    assert "Traceback" not in ended.stderr


def test_its_options_reach_the_screens(sales_tax: Path) -> None:
    from jiti_tui.cli.parser import OPEN, Commands
    from jiti_tui.cli.serve import screen_command

    given = ["--mode", "ask", "--ascii", "--no-mouse", "--budget", "session.money=0.000001", "--proposer", "replay"]
    given += ["--store=-odd", "--budget=request.attempts=7", "--transcript", "=x", str(sales_tax)]
    parser = Commands().parser
    command = screen_command(parser.parse_args(["serve", *given]))
    reached = vars(parser.parse_args([OPEN, *command[command.index("jiti_tui.cli.served") + 1 :]]))
    expected = vars(parser.parse_args([OPEN, *given]))
    assert reached == expected
