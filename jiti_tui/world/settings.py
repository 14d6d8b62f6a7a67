"""The shape of world.toml. Unknown keys and wrong types are errors; `toml_errors` turns them into sentences."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, StrictStr

from jiti_tui.budget import Budgets
from jiti_tui.file_names import is_adapter_name
from jiti_tui.model_settings import ModelSettings

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_FORBIDDEN_PACKAGES = frozenset({"COMMON-LISP", "CL", "KEYWORD", "JITI", "JITI-KERNEL"})


def _plain(text: str) -> str:
    """`text` without surrounding white space; refuses what a terminal would obey instead of show."""
    text = text.strip()
    if not text:
        raise ValueError("it is empty")
    if _CONTROL.search(text):
        raise ValueError("it holds a control character: write plain text")
    return text


def _package(name: str) -> str:
    if name != name.upper():
        raise ValueError(
            f'"{name}" has lower-case letters: write a package\'s name as Lisp prints it, "{name.upper()}"'
        )
    if name == "CL-USER":
        raise ValueError('"CL-USER" is a nickname: write "COMMON-LISP-USER"')
    if name in _FORBIDDEN_PACKAGES or name.startswith("SB-"):
        raise ValueError(f'"{name}" belongs to Lisp itself: name a package of the world')
    return name


def is_package_name(name: str) -> bool:
    """Whether a world may manage a package called `name`."""
    try:
        return _package(name) == name
    except ValueError:
        return False


def _adapter(name: str) -> str:
    if not is_adapter_name(name):
        raise ValueError(f"{name!r} is no name of a directory adapter: use a-z, 0-9, - and _, at most 64 of them")
    return name


def _distinct(names: tuple[str, ...]) -> tuple[str, ...]:
    for index, name in enumerate(names):
        if name in names[:index]:
            raise ValueError(f'"{name}" is there twice: name it once')
    return names


_Name = Annotated[StrictStr, Field(min_length=1, max_length=200), AfterValidator(_plain)]
_Names = Annotated[tuple[_Name, ...], Field(max_length=1000), AfterValidator(_distinct)]
_PackageName = Annotated[_Name, AfterValidator(_package)]
_PackageNames = Annotated[tuple[_PackageName, ...], Field(min_length=1, max_length=100), AfterValidator(_distinct)]
_RelativePath = Annotated[StrictStr, Field(min_length=1, max_length=1000), AfterValidator(_plain)]
_Paths = Annotated[tuple[_RelativePath, ...], Field(max_length=1000), AfterValidator(_distinct)]
_AdapterName = Annotated[StrictStr, AfterValidator(_adapter)]
_Seconds = Annotated[float, Field(gt=0, le=3600, allow_inf_nan=False)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Request(_Table):
    """What the user asks for: a sentence, the goals that decide it, and the invariants that hold from it on."""

    text: Annotated[StrictStr, Field(max_length=10_000), AfterValidator(_plain)]
    goals: _Names | None = None
    """Names of goals. None: all of them decide. Empty: none does, and the request is never met by itself."""
    invariants: _Names = ()


class Limits(_Table):
    """Bounds of what a world may use."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    heap_mb: Annotated[int, Field(ge=128, le=1_048_576)] = 1024
    evaluate_seconds: _Seconds = 10
    check_seconds: _Seconds = 2
    output_bytes: Annotated[int, Field(ge=256, le=8_388_608)] = 65_536
    forms_bytes: Annotated[int, Field(ge=256, le=8_388_608)] = 65_536
    depth: Annotated[int, Field(ge=8, le=10_000)] = 200
    files_mb: Annotated[int, Field(ge=1, le=128)] = 64
    """Of all files of the world together, in MiB."""


class Policy(_Table):
    """Packages and operators (`PACKAGE`, `PACKAGE:SYMBOL`) that forms may or may not name, beyond the kernel's rule."""

    allow: _Names = ()
    deny: _Names = ()


class WorldToml(_Table):
    """The whole file."""

    title: Annotated[StrictStr, Field(max_length=200), AfterValidator(_plain)] | None = None
    packages: _PackageNames
    load: _Paths = ()
    systems: _Names = ()
    files: dict[_AdapterName, _RelativePath] = {}
    """Folders with the files that a new world begins with, by the name of the directory adapter that holds them."""
    invariants: _RelativePath | None = None
    goals: _RelativePath | None = None
    requests: Annotated[tuple[Request, ...], Field(max_length=1000)] = ()
    model: ModelSettings = ModelSettings()
    budget: Budgets = Budgets()
    limits: Limits = Limits()
    policy: Policy = Policy()
