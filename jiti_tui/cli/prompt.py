"""`jiti-tui prompt`: prints what a model would be sent for the next step, word for word."""

from __future__ import annotations

import argparse
import asyncio
import json
import os

from jiti_tui.cli.plain import plain
from jiti_tui.cli.streams import say
from jiti_tui.cli.user_config import read_user_config
from jiti_tui.engine.deciding.next_view import next_view
from jiti_tui.errors import Exit
from jiti_tui.model.openai_proposer import cache_key
from jiti_tui.model.prompt import prompt
from jiti_tui.model.request import request_body
from jiti_tui.model_settings import settings_for
from jiti_tui.world.folder import read_world


def main(arguments: argparse.Namespace) -> int:
    """Print the instructions and the input, or with --json the body of the call, the answer's schema included."""
    world = read_world(arguments.world, arguments.store)
    settings = settings_for(world.model, read_user_config(os.environ).model)
    view = asyncio.run(next_view(world))
    if arguments.json:
        say(json.dumps(request_body(view, settings, cache_key(world.path)), indent=2))
    else:
        words = prompt(view, settings.view_tokens)
        say(plain(f"{words.instructions}\n{words.input}".rstrip("\n")))
    return Exit.DONE
