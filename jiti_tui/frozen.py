"""Data classes that never change: what crosses between the parts of the program."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Make of `cls` what `dataclass(frozen=True, slots=True)` would make, in a fraction of the time.

    That compiles six methods of each class. The program has two hundred classes and uses a few in a run, and so it
    would spend a quarter of its start on them. Here `__init__` alone is compiled, when the first instance is made.
    """
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    values = _getter([each.name for each in fields(made)])  # type: ignore[arg-type]  # it is a dataclass by now

    def equal(self: T, other: object) -> bool:
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __init__(self: T, *given: Any, **named: Any) -> None:  # noqa: N807 - it stands in for the method
        initialise = _compiled(made)
        made.__init__ = initialise  # type: ignore[method-assign]  # once a class
        initialise(self, *given, **named)

    methods = {
        "__init__": __init__,
        "__eq__": equal,
        "__hash__": lambda self: hash(values(self)),
        "__repr__": _repr,
        "__getstate__": lambda self: list(values(self)),
        "__setstate__": _set_state,
        "__setattr__": _refuse_to_set,
        "__delattr__": _refuse_to_delete,
    }
    for name, method in methods.items():
        if name not in cls.__dict__:
            setattr(made, name, method)
    return made


def _getter(names: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    if len(names) > 1:
        return attrgetter(*names)
    return lambda self: tuple(getattr(self, name) for name in names)


def _compiled(cls: type) -> Callable[..., None]:
    """The `__init__` of `cls`, with its parameters and defaults."""
    scope: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    parameters, lines = [], []
    for each in fields(cls):
        value, default = each.name, ""
        if each.default is not MISSING:
            scope[f"_default_{each.name}"], default = each.default, f"=_default_{each.name}"
        elif each.default_factory is not MISSING:
            scope[f"_make_{each.name}"], default = each.default_factory, "=_missing"
            value = f"_make_{each.name}() if {each.name} is _missing else {each.name}"
        parameters.append(each.name + default)
        lines.append(f"    _set(self, {each.name!r}, {value})")
    exec(f"def __init__({', '.join(['self', *parameters])}):\n" + "\n".join(lines or ["    pass"]), scope)  # noqa: S102 - of field names
    initialise: Callable[..., None] = scope["__init__"]
    initialise.__qualname__ = f"{cls.__qualname__}.__init__"
    return initialise


def _repr(self: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(self, each.name)!r}" for each in fields(self))
    return f"{self.__class__.__qualname__}({shown})"


def _set_state(self: Any, state: tuple[Any, ...]) -> None:
    for each, value in zip(fields(self), state, strict=True):
        object.__setattr__(self, each.name, value)


def _refuse_to_set(_self: object, name: str, _value: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_self: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")
