"""A world with a folder of files, which it can change in every way that Linux knows."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from fakes.attempt import Attempt

from jiti_tui.errors import WorkerError
from jiti_tui.kernel.exports import Export, NotReconstructible
from jiti_tui.kernel.holder import Opening
from jiti_tui.kernel.keeper import Keeper
from jiti_tui.kernel.world import World

BASE = r"""
(in-package #:world)

(make-instance 'jiti:directory-adapter :name "site")

(defun text (path)
  (with-open-file (in (jiti:world-file "site" path) :external-format :utf-8)
    (let* ((text (make-string (file-length in))) (end (read-sequence text in)))
      (subseq text 0 end))))

(defun put (path text &optional (if-exists :supersede))
  (let ((file (jiti:world-file "site" path)))
    (ensure-directories-exist file)
    (with-open-file (out file :direction :output :if-exists if-exists :external-format :utf-8)
      (write-string text out)))
  path)

(defun drop (path)
  (delete-file (jiti:world-file "site" path)))

(defun native (path)
  (concatenate 'string "/proc/self/cwd/site/" path))

(defun make-link (target path)
  (sb-alien:alien-funcall (sb-alien:extern-alien "symlink" (function sb-alien:int sb-alien:c-string
                                                                     sb-alien:c-string))
                          target (native path)))

(defun make-second-name (path other)
  (sb-alien:alien-funcall (sb-alien:extern-alien "link" (function sb-alien:int sb-alien:c-string
                                                                  sb-alien:c-string))
                          (native path) (native other)))

(defun make-pipe (path)
  (sb-alien:alien-funcall (sb-alien:extern-alien "mkfifo" (function sb-alien:int sb-alien:c-string
                                                                    sb-alien:int))
                          (native path) #o600))

(defun make-odd-name (character)
  (with-open-file (out (sb-ext:parse-native-namestring (native (string character)))
                       :direction :output)
    (princ 1 out)))

(defun other-copies ()
  (let ((own (namestring (truename "/proc/self/cwd/"))))
    (remove own (mapcar #'namestring
                        (directory (merge-pathnames "../*/" own)))
            :test #'string=)))
"""

FILES = {
    "site/a.txt": b"one\n",
    "site/posts/b.txt": "zwei ä\n".encode(),
    "site/posts/2026/c.bin": bytes(range(256)),
    "site/empty": b"",
}

HEAP_MB = 256


async def opened(keeper: Keeper, files: Mapping[str, bytes], files_bytes: int = 1024 * 1024) -> World:
    world = await keeper.fork_world()
    await world.open(Opening(["WORLD"], files_bytes=files_bytes, allow=["COMMON-LISP"]))
    assert await world.load_base("base.lisp", BASE) is None
    assert await world.import_("", "", files) is None
    await world.adopt(0, 0)
    await world.restore()
    return world


async def export(process: World | Attempt) -> Export:
    runner = await (process.candidate if isinstance(process, Attempt) else process).runner()
    exported = await runner.export()
    await runner.close()
    assert isinstance(exported, Export), exported
    return exported


async def obstacle(attempt: Attempt) -> str:
    """Why the files of a candidate cannot be kept."""
    runner = await attempt.candidate.runner()
    with pytest.raises(WorkerError) as refused:
        assert not isinstance(await runner.export(), NotReconstructible)
    await runner.close()
    return str(refused.value)


async def accept(world: World, attempt: Attempt) -> World:
    exported = await export(attempt)
    return await attempt.candidate.accept(world.revision + 1, attempt.generation, exported.files)
