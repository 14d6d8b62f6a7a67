"""What a process tells of its world for a view. `docs/wire.md` defines the message that it comes from."""

from __future__ import annotations

from jiti_tui.frozen import frozen
from jiti_tui.kernel.messages import Reply


@frozen
class ObservedDefinition:
    """A definition of the world, as the text that was accepted; the last two are "" where there is none."""

    kind: str
    name: str
    package: str
    text: str
    signature: str
    documentation: str


@frozen
class ObservedBase:
    """Something that base code has defined; the last two are "" where there is none."""

    kind: str
    name: str
    signature: str
    documentation: str


@frozen
class ObservedDatum:
    """A datum of the world and its printed value, cut to the length that was asked for."""

    name: str
    value: str


@frozen
class Observed(Reply):
    """What a view shows of the world."""

    definitions: tuple[ObservedDefinition, ...]
    base: tuple[ObservedBase, ...]
    data: tuple[ObservedDatum, ...]
