"""A revision as a plain ASDF project, which loads in SBCL without jiti-tui."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from jiti_tui.engine.checklist import Verdict
from jiti_tui.engine.queries.standalone import opened, verdicts_on
from jiti_tui.errors import JitiError, UsageError
from jiti_tui.kernel.resources import lisp_directory
from jiti_tui.store.history import Revision
from jiti_tui.world.check_files import read_base_files
from jiti_tui.world.folder import World

_SUPPORT = (
    "package",
    "conditions",
    "adapter",
    "plain/world",
    "gaps",
    "floats",
    "data-tokens",
    "data-reader",
    "plain/restore",
    "plain/definitions",
)
"""Files of the kernel that reading data needs, in the order in which they load."""

_SYSTEM = """\
;;;; {title}: revision {revision} of the world {name}. jiti-tui wrote this project; it loads without it.

(in-package #:asdf-user)
{loading}
(defclass {class} (cl-source-file) ()
  (:documentation "A file whose forms are evaluated one after the other, as those of a world are."))

(defmethod output-files ((operation compile-op) (file {class}))
  '())

(defmethod perform ((operation compile-op) (file {class}))
  nil)

(defmethod perform ((operation load-op) (file {class}))
  (load (component-pathname file)))

(defsystem "{system}"
  :description "{title}"
  :depends-on ({systems})
  :default-component-class {class}
  :serial t
  :components ({components}
               (:static-file "world.lisp"))
  :in-order-to ((test-op (test-op "{system}/tests"))))

(defsystem "{system}/tests"
  :depends-on ("{system}" "fiveam")
  :default-component-class {class}
  :components ((:file "checks"))
  :perform (test-op (operation system)
             (unless (symbol-call '#:fiveam '#:run! (find-symbol* '#:checks '#:{system}/tests))
               (error "A check of {system} fails."))))
"""

_LOADING = """
(load-asd (merge-pathnames {file} *load-truename*))
"""

_OPENING = """\
;;;; The packages of the world, and where its files are.

(jiti-kernel::ensure-world '({packages}) (uiop:subpathname *load-truename* "files/"))
"""

_DEFINING = """\
;;;; The definitions of the world, as the revision has them.

(jiti-kernel::load-definitions (merge-pathnames "world.lisp" *load-truename*))
"""

_RESTORING = """\
;;;; The data of the world, as the revision has it.

(jiti-kernel::restore-data
 (mapcar (lambda (name) (merge-pathnames name *load-truename*)) '({files})))
"""

_CHECKS = """\
;;;; The goals and invariants that hold in this revision, as tests.

(defpackage #:{system}/tests
  (:use)
  (:export #:checks))

(fiveam:def-suite {system}/tests:checks)

(in-package {package})
"""


def system_name(world: World) -> str:
    """What the project's system is called: the name of the world's folder, as far as a name can have its characters."""
    return re.sub(r"[^a-z0-9-]+", "-", world.name.lower()).strip("-") or "world"


class ExportError(JitiError):
    """The project cannot be written."""


async def write_project(world: World, revision: Revision, directory: Path) -> list[str]:
    """Write `revision` as a project into `directory`, which is not there yet, or empty; return the names of its files.

    Raises UsageError where the directory is in use, ExportError where it cannot be written.
    """
    _require_free(directory)
    project = await plain_project(world, revision)
    try:
        for name, content in project.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
    except OSError as error:
        raise ExportError(f"The project cannot be written: {error.strerror} ({error.filename}).") from error
    return sorted(project)


def _require_free(directory: Path) -> None:
    try:
        free = not directory.exists() or (directory.is_dir() and not any(directory.iterdir()))
    except OSError as error:
        raise ExportError(f"{directory} cannot be looked at: {error.strerror}.") from error
    if not free:
        raise UsageError(f"{directory} is there and not empty. Give a directory that is new.")


async def plain_project(world: World, revision: Revision) -> dict[str, bytes]:
    """The files of the project by their paths, with slashes.

    Checks that do not hold in the revision are kept as comments. Raises StoreError when it does not import on the
    present base.
    """
    verdicts, sources = await _verdicts_and_sources(world, revision)
    base = read_base_files(world)
    names = [f"base/{number:02}-{Path(file.file).stem}" for number, file in enumerate(base, 1)]
    project = {
        f"{name}.lisp": file.text.encode("utf-8", "surrogateescape") for name, file in zip(names, base, strict=True)
    }
    kernel = lisp_directory()
    support = [f"support/{Path(name).name}" for name in _SUPPORT]
    for name, target in zip(_SUPPORT, support, strict=True):
        project[f"{target}.lisp"] = (kernel / f"{name}.lisp").read_bytes()
    systems = await asyncio.to_thread(_own_systems, world, sources)
    project |= systems
    data = {"data/data.sexp": revision.data} | {f"data/{name}.sexp": text for name, text in revision.blocks.items()}
    project |= {name: _bytes(text) for name, text in data.items()}
    project |= {f"files/{name}": content for name, content in revision.files.items()}
    project["world.lisp"] = _bytes(revision.definitions)
    project["open.lisp"] = _bytes(_OPENING.format(packages=" ".join(map(_string, world.packages))))
    project["definitions.lisp"] = _bytes(_DEFINING)
    project["data.lisp"] = _bytes(_RESTORING.format(files=" ".join(map(_string, data))))
    system = system_name(world)
    components = [*support, "open", *names, "definitions", "data"]
    project[f"{system}.asd"] = _bytes(
        _SYSTEM.format(
            title=_plain(world.title),
            name=_plain(world.name),
            revision=revision.manifest.revision,
            system=system,
            loading="".join(_LOADING.format(file=_string(name)) for name in systems if name.endswith(".asd")),
            systems=" ".join(map(_string, world.systems)),
            components="\n               ".join(f"(:file {_string(name)})" for name in components),
            **{"class": f"{system}-source"},
        )
    )
    project["checks.lisp"] = _bytes("".join(_checks(world, system, verdicts)))
    return project


async def _verdicts_and_sources(world: World, revision: Revision) -> tuple[Sequence[Verdict], Sequence[Path]]:
    """What the checks say of `revision`, and the source files of the systems of the base."""
    async with opened(world, revision) as (workers, process):
        verdicts, _ = await verdicts_on(world, revision, process)
        return verdicts, workers.system_files


def _own_systems(world: World, sources: Sequence[Path]) -> dict[str, bytes]:
    """Those of `sources` that are in the world's folder, by where they are in the project."""
    folder = world.path.resolve()
    own = [path for path in sources if path.is_relative_to(folder)]
    return {f"systems/{path.relative_to(folder).as_posix()}": path.read_bytes() for path in own}


def _checks(world: World, system: str, verdicts: Sequence[Verdict]) -> Iterator[str]:
    yield _CHECKS.format(system=system, package=_string(world.packages[0]))
    for verdict in verdicts:
        check = verdict.check
        name = f"{system}/tests::{_symbol(f'{check.kind.value}: {check.name}')}"
        text = f"(jiti-kernel::deftest-check {name} {system}/tests:checks\n  {check.text})\n"
        if not verdict.ok:
            text = "".join(f";; {line}\n" for line in ["It does not hold in this revision:", *text.splitlines()])
        yield f"\n{text}"


def _string(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _symbol(name: str) -> str:
    escaped = name.replace("\\", "\\\\").replace("|", "\\|")
    return f"|{escaped}|"


def _plain(text: str) -> str:
    """For a comment or the inside of a string: on one line, and without what ends either."""
    return re.sub(r'["\\\s]+', " ", text).strip()


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")
