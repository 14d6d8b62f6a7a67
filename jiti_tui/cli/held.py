"""What revisions hold, for commands that show it: by name, or as their files are where they no longer import."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from jiti_tui.cli.plain import one_line
from jiti_tui.cli.streams import complain
from jiti_tui.engine.queries.contents import Contents, contents
from jiti_tui.errors import StoreError
from jiti_tui.store.history import Revision
from jiti_tui.store.layout import DATA, DEFINITIONS
from jiti_tui.world.folder import World


def held(world: World, revisions: Sequence[Revision]) -> list[Contents]:
    """What each of `revisions` holds. Says on standard error why it is not by name."""
    try:
        return asyncio.run(contents(world, revisions))
    except StoreError as error:
        complain(f"{one_line(str(error), 400)} What follows are the files as they are.")
    return [
        {("file", DEFINITIONS): revision.definitions, ("file", DATA): revision.data}
        | {("file", f"{name}.sexp"): text for name, text in revision.blocks.items()}
        for revision in revisions
    ]
