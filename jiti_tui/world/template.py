"""The files that `jiti-tui new` writes: a small world that is complete, with recorded answers to all its requests."""

from __future__ import annotations

import json
import re

from jiti_tui.world.settings import is_package_name

_NO_PACKAGE = re.compile(r"[^A-Z0-9]+")


def template_files(name: str) -> dict[str, str]:
    """Return the files of a new world by their names; `name` is that of its folder."""
    package = package_for(name)
    title = json.dumps(re.sub(r"[^\w .-]", " ", name).strip()[:200] or "A world", ensure_ascii=False)
    return {
        "world.toml": _TOML.format(
            title=title, packages=f"packages = [{json.dumps(package)}]".ljust(33), package=package.lower()
        ),
        "goals.lisp": _GOALS,
        "invariants.lisp": _INVARIANTS,
        "transcript.jsonl": "".join(json.dumps({"action": action}) + "\n" for action in _ACTIONS),
    }


def package_for(name: str) -> str:
    """Return a name for the package of a world in the folder `name`: "my stock" has MY-STOCK."""
    package = _NO_PACKAGE.sub("-", name.upper()).strip("-")[:100] or "WORLD"
    return package if is_package_name(package) else f"WORLD-{package}"


_TOML = """\
# A world that runs as it is: transcript.jsonl holds answers to both requests. Change it into your own.

title = {title}
{packages} # forms, goals and values are read in the first
# load = ["base.lisp"]            # code of your own, loaded first; it begins with (in-package #:{package})
goals = "goals.lisp"              # what you want in the end
invariants = "invariants.lisp"    # what must never break

[[requests]]
text = "Keep a stock: RECEIVE adds a number of an item, LEFT says how many there are."
goals = ["what is received is there", "of what never came, nothing is left"]

[[requests]]
text = "TAKE removes a number of an item, and refuses more than there is."
goals = ["what is taken is gone", "taking too much is an error"]
"""

_GOALS = """\
;;;; What each request wants in the end. world.toml says which request a goal decides.

(goal "what is received is there"
  (receive :nut 3)
  (= (left :nut) 3))

(goal "of what never came, nothing is left"
  (= (left :bolt) 0))

(goal "what is taken is gone"
  (receive :nut 3)
  (take :nut 2)
  (= (left :nut) 1))

(goal "taking too much is an error"
  (receive :nut 1)
  (handler-case (progn (take :nut 2) nil)
    (error () (= (left :nut) 1))))
"""

_INVARIANTS = """\
;;;; What must never break. One that no request names in world.toml holds always.

(invariant "nothing is below zero"
  (or (not (fboundp 'left))
      (>= (left :nut) 0)))
"""

_RECEIVE = """\
(defvar *stock* (make-hash-table))

(defun receive (item count)
  "Add COUNT of ITEM."
  (incf (gethash item *stock* 0) count))

(defun left (item)
  "How many of ITEM there are."
  (gethash item *stock* 0))"""

_TAKE = """\
(defun take (item count)
  "Remove COUNT of ITEM. Signals an error where there are fewer."
  (when (> count (left item))
    (error "There are only ~D of ~A." (left item) item))
  (decf (gethash item *stock*) count))"""

_ACTIONS = (
    {
        "kind": "evaluate",
        "generation": None,
        "rationale": "A hash table holds the counts; what never came counts as 0.",
        "forms": _RECEIVE,
    },
    {
        "kind": "evaluate",
        "generation": None,
        "rationale": "TAKE asks LEFT first, so nothing can fall below zero.",
        "forms": _TAKE,
    },
)
