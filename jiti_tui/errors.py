"""Every error that a user can meet. Each carries one or a few sentences that name what is at fault and what to do."""

from __future__ import annotations

from enum import IntEnum


class Exit(IntEnum):
    """Exit codes of the commands, as the README documents them."""

    DONE = 0
    UNMET = 1
    USAGE = 2
    WORKER = 3
    PROPOSER = 4
    INTERRUPTED = 130


def place(file: str, line: int | None) -> str:
    """Where something is wrong, as sentences begin: the file, and the line where it is known (neither None nor 0)."""
    return f"{file} line {line}" if line else file


class JitiError(Exception):
    """Base of all errors with a sentence for the user; `exit_code` is what a command ends with."""

    exit_code: Exit = Exit.WORKER


class UsageError(JitiError):
    """The command line asks for something that cannot be."""

    exit_code = Exit.USAGE


class WorldFolderError(JitiError):
    """The world folder does not read: the sentence names file, line and key where there are such."""

    exit_code = Exit.USAGE


class UnreadableFile(WorldFolderError):
    """A file of the world folder cannot be read, or is no text. `file` is what the user knows it as."""

    def __init__(self, message: str, file: str) -> None:
        super().__init__(message)
        self.file = file


class BaseCodeError(WorldFolderError):
    """A trusted base file or system of the world signalled a condition while it was loaded."""


class WorkerError(JitiError):
    """SBCL, the sandbox or a worker process failed."""


class WorkerDied(WorkerError):
    """A worker process is dead; what it had not answered it will not answer."""


class ForkFailed(WorkerError):
    """A worker process cannot be forked as it is now; it goes on."""


class StoreError(JitiError):
    """The store cannot be read or written, or is damaged."""


class StoreLocked(StoreError):
    """Another controller holds the store; `holder` says which one."""

    def __init__(self, message: str, holder: str) -> None:
        super().__init__(message)
        self.holder = holder


class StoreDamaged(StoreError):
    """What is on disk is not what was written. `fact` names the file and what is wrong with it."""

    advice = (
        "Nothing was changed. `jiti-tui verify WORLD` lists what is damaged, "
        "`jiti-tui recover WORLD` what is intact and can be gone back to."
    )

    def __init__(self, fact: str) -> None:
        super().__init__(f"{fact} {self.advice}")
        self.fact = fact


class StoreFormat(StoreDamaged):
    """What is on disk is whole, and of a format that this version does not read. `fact` says what does."""

    advice = "Nothing was changed."


class StoreUncertain(StoreError):
    """Whether the last revision is on disk is unknown: the store takes no more writing until it is opened again."""


class ProposerError(JitiError):
    """The proposer cannot answer. `family` is one of the error families of the `error` event."""

    exit_code = Exit.PROPOSER

    def __init__(self, message: str, *, family: str = "configuration", retry_after: float | None = None) -> None:
        super().__init__(message)
        self.family = family
        self.retry_after = retry_after


class TranscriptEnded(ProposerError):
    """A recorded transcript has no line left."""

    def __init__(self, message: str) -> None:
        super().__init__(message, family="transcript")
