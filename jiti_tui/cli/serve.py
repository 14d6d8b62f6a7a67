"""`jiti-tui serve`: the screen in browsers, on loopback. The first that connects drives, the others look on."""

from __future__ import annotations

import argparse
import asyncio
import errno
import ipaddress
import os
import signal
import socket
import sys
from importlib.util import find_spec

from jiti_tui.budget import Budgets
from jiti_tui.cli.asking_options import asking_options
from jiti_tui.cli.streams import say
from jiti_tui.errors import Exit, UsageError
from jiti_tui.world.folder import read_world

_NEEDED = ("aiohttp", "textual_serve")
_LEAVING_SECONDS = 2.0
"""How long a browser may still fetch a file when all screens have ended."""

_ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)


def main(arguments: argparse.Namespace) -> int:
    """Serve until a signal ends it; return the exit code. Raises UsageError where that cannot be."""
    if not all(map(find_spec, _NEEDED)):
        raise UsageError("jiti-tui serve needs textual-serve, which is not installed: pip install 'jiti-tui[serve]'")
    world = read_world(arguments.world, arguments.store)
    asking_options(arguments, world, headless=False)  # what is wrong there is told now, not to the first browser
    with _listening(arguments.host, arguments.port) as listener:
        return asyncio.run(_serve(world.title, screen_command(arguments), listener))


async def _serve(title: str, command: list[str], listener: socket.socket) -> int:
    from aiohttp import web  # noqa: PLC0415 - only here, like what stands on it

    from jiti_tui.serve.gate import new_token  # noqa: PLC0415
    from jiti_tui.serve.server import Server  # noqa: PLC0415

    ended = asyncio.Event()
    for number in _ENDING_SIGNALS:
        if signal.getsignal(number) is not signal.SIG_IGN:  # as nohup has it
            asyncio.get_running_loop().add_signal_handler(number, ended.set)
    token = new_token()
    application = Server(title, token, command).application()
    # An access log would hold the paths, and with them the token.
    runner = web.AppRunner(application, access_log=None, shutdown_timeout=_LEAVING_SECONDS)
    await runner.setup()
    try:
        await web.SockSite(runner, listener).start()
        _tell(listener, token)
        await ended.wait()
    finally:
        await runner.cleanup()
    return Exit.INTERRUPTED


def _tell(listener: socket.socket, token: str) -> None:
    host, port = listener.getsockname()[:2]
    named = f"[{host}]" if ":" in host else host
    say(f"http://{named}:{port}/{token}/")
    print(
        "Whoever has this address has the world: the first browser drives, the others look on. Ctrl-C ends it.\n"
        f"From another machine: ssh -L {port}:{named}:{port} {os.uname().nodename}, then the same address there.",
        file=sys.stderr,
    )


def _listening(host: str, port: int) -> socket.socket:
    """Return a socket that listens at a loopback address. Raises UsageError."""
    name = "127.0.0.1" if host == "localhost" else host.strip("[]")
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        raise UsageError(f"--host must be a loopback address, such as 127.0.0.1 or ::1, not {host!r}.") from None
    if not address.is_loopback:
        raise UsageError(
            f"{host} is no loopback address. Nothing is encrypted here, and whoever hears the token on a network has "
            "the world: serve on 127.0.0.1, and reach that from another machine by ssh -L."
        )
    try:
        return socket.create_server(
            (name, port), family=socket.AF_INET6 if address.version == 6 else socket.AF_INET, backlog=128
        )
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise UsageError(
                f"Port {port} of {host} is in use: choose another one, or leave --port out for a free one."
            ) from error
        raise UsageError(f"Port {port} of {host} cannot be listened at: {os.strerror(error.errno or 0)}.") from error


def screen_command(arguments: argparse.Namespace) -> list[str]:
    """Return what shows the screen of one browser, with the options that `serve` was given."""
    words = [sys.executable, "-P", "-X", "utf8", "-m", "jiti_tui.cli.served"]
    for name in ("store", "proposer", "transcript"):
        value = getattr(arguments, name)
        if value is not None:
            words.append(f"--{name}={value}")
    words += ["--read-only"] if arguments.mode == "read-only" else ["--mode", arguments.mode]
    words += ["--ascii"] * arguments.ascii + ["--no-mouse"] * (not arguments.mouse)
    words += [f"--budget={limit}" for given in arguments.budget for limit in _limits(given)]
    return [*words, "--", str(arguments.world)]


def _limits(budgets: Budgets) -> list[str]:
    """The limits as `--budget` takes them."""
    return [
        f"{scope}.{name}={value if isinstance(value, int) else format(value, 'f')}"
        for scope, limits in budgets.model_dump(exclude_none=True).items()
        for name, value in limits.items()
    ]
