"""`jiti-tui revert`: makes the world of an earlier revision the next one, checked and verified as any outcome is."""

from __future__ import annotations

import argparse
import json
import os
import signal
from types import FrameType

from jiti_tui.cli.plain import one_line
from jiti_tui.cli.streams import say
from jiti_tui.engine.driver import Driver, Refused, SessionClosed
from jiti_tui.engine.interface.commands import GoBack
from jiti_tui.engine.interface.events import Event
from jiti_tui.engine.interface.options import Options
from jiti_tui.engine.interface.phase import Mode
from jiti_tui.errors import Exit, StoreError, UsageError
from jiti_tui.store.presence import require
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Go back and say which revision came of it. 1 when the checks or the verifier refuse it."""
    world = read_world(arguments.world, arguments.store)
    require(world.store)
    driver = Driver(world, Options(mode=Mode.REVIEW, environ=dict(os.environ)))
    interrupted = False

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        nonlocal interrupted
        interrupted = True
        driver.close()

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, interrupt)
    try:
        published = _go_back(driver, arguments.revision)
    except SessionClosed:
        if interrupted:
            return Exit.INTERRUPTED
        raise
    except Refused as error:
        error.exit_code = Exit.UNMET
        error.args = (f"Revision {arguments.revision} does not come back: {one_line(str(error), 400)}",)
        raise
    finally:
        driver.close()
    made = published.fields["revision"]
    if arguments.json:
        say(json.dumps({"revision": made, "like": arguments.revision, "id": published.fields["id"]}))
    else:
        say(f"Revision {made} is the world of revision {arguments.revision}.")
    return Exit.DONE


def _go_back(driver: Driver, revision: int) -> Event:
    picture = driver.idle()
    if revision == picture.revision:
        raise UsageError(f"Revision {revision} is the accepted one already.")
    if revision not in {row.number for row in picture.revisions}:
        raise StoreError(f"There is no revision {revision}. `jiti-tui history` lists what there is.")
    driver.attempt(GoBack(picture.painted, revision))
    return driver.accept()
