"""The page that a browser gets: a terminal, what stands there before and after it, and nothing from elsewhere."""

from __future__ import annotations

from html import escape
from importlib.resources import files
from pathlib import Path
from string import Template

STATIC = {
    "textual.js": "js/textual.js",
    "xterm.css": "css/xterm.css",
    "font.ttf": "fonts/RobotoMono-VariableFont_wght.ttf",
}
"""All that the page fetches, by the names that it uses, and where textual-serve keeps it: xterm.js as its client."""

HEADERS = {
    # Scripts and everything else come from here alone. xterm.js writes styles into the page.
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; "
    "font-src 'self'; img-src data:; connect-src 'self' ws://$host; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    # The address holds the token: it goes nowhere else, and into no cache.
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}

_PAGE = Template("""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>$title</title>
<link rel="icon" href="data:,">
<link rel="preload" href="$base/static/font.ttf" as="font" type="font/ttf" crossorigin>
<link rel="stylesheet" href="$base/static/xterm.css">
<style>
@font-face { font-family: "Roboto Mono"; src: url("$base/static/font.ttf"); font-weight: 100 700; }
body { background: #000; color: #ddd; font: 16px "Roboto Mono", monospace; margin: 0; overflow: hidden; }
a { color: #fff; }
p { margin: 1em; }
b { font-weight: 700; }
#terminal { height: 100vh; }
.closed { background: #333; bottom: 0; display: none; margin: 0; padding: 0.5em 1em; position: fixed; right: 0; }
.opening { position: fixed; }
.-first-byte .opening, .-closed .opening { display: none; }
.-closed .closed { display: block; z-index: 10; }
</style>
<script src="$base/static/textual.js"></script>
</head>
<body>
<p class="opening">Opening <b>$title</b>.</p>
<p class="closed">This session has ended; what was accepted is on disk. <a href="$base/">Open it again</a></p>
<noscript><p>The screen needs JavaScript.</p></noscript>
<div id="terminal" class="textual-terminal" data-session-websocket-url="ws://$host$base/ws" data-font-size="16"></div>
</body>
</html>
""")
"""textual.js connects what is of the class `textual-terminal`, and marks the body."""


def page(title: str, base: str, host: str) -> str:
    """Return the page for a world's `title`; `base` is the path of all that is served, `host` our name there."""
    return _PAGE.substitute(title=escape(title), base=escape(base), host=escape(host))


def headers(host: str) -> dict[str, str]:
    """Return what goes with every answer to a browser that calls us `host`."""
    return {name: value.replace("$host", host) for name, value in HEADERS.items()}


def static_file(name: str) -> Path | None:
    """Return the file behind a name of `STATIC`, None for any other."""
    place = STATIC.get(name)
    return None if place is None else Path(str(files("textual_serve"))) / "static" / place
