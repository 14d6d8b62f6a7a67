"""One worker process, as the controller holds it: one connection, one conversation, one pidfd."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field

from jiti_tui.errors import WorkerDied, WorkerError
from jiti_tui.kernel.exports import Chunk
from jiti_tui.kernel.fields import Fields
from jiti_tui.kernel.listener import Connection
from jiti_tui.kernel.messages import Refused, Reply, Resumed
from jiti_tui.kernel.replies import parse
from jiti_tui.kernel.wire import Message, encode
from jiti_tui.sexp import Writable

REPLY_SECONDS = 60.0
"""For what the kernel alone does; evaluated code has limits of its own."""

INTERRUPT_SECONDS = 0.1
GRACE_SECONDS = 2.0
MAX_LAST_WORDS = 300
_FRAME = re.compile(r"\s*\d+: fp=0x")
_FATAL = "fatal error encountered in SBCL"
_FULL_HEAP = "Heap exhausted, game over."
MAX_CHUNKED_CHARACTERS = 256 * 1024 * 1024


def milliseconds(seconds: float) -> int:
    """A time limit as requests bear it."""
    return round(seconds * 1000)


@dataclass(slots=True, eq=False)
class Asked:
    """A request that waits for its reply, or an outcome that is still to come.

    `outcome` is expected after the reply, but only if that is `Resumed`.
    """

    reply: asyncio.Future[Reply]
    outcome: Asked | None = None
    chunks: list[Chunk] = field(default_factory=list)
    characters: int = 0

    def fail(self, reason: str) -> None:
        """There will be no reply."""
        self.reply.set_exception(WorkerDied(reason))
        self.reply.exception()  # the caller may have been cancelled: nobody has to look at it


class Worker:
    """A worker process that has said hello.

    Requests are answered in the order in which they were sent, so any number may wait. A worker that breaks the
    protocol is killed. Death is the pidfd becoming readable, never the end of the connection: children that code of the
    world has forked hold the connection too.
    """

    def __init__(
        self, connection: Connection, on_death: Callable[[Worker], None], last_words: Callable[[], str]
    ) -> None:
        self._loop = asyncio.get_running_loop()
        self._connection = connection
        self._on_death = on_death
        self._last_words = last_words
        self._asked: deque[Asked] = deque()
        self._cause = ""
        self._gone = False
        self._farewell: asyncio.TimerHandle | None = None
        self.role = connection.role
        """"keeper", "world", "verifier", "candidate" or "runner"; an accepted candidate becomes a world."""
        self.pid = connection.pid
        self.inner_pid = connection.inner_pid
        self.deaf = False
        """Whether it was killed because an interruption did not stop it."""
        self.troubles: list[str] = []
        """What it has told of that went wrong beside its requests, a sentence each; who shows it takes it away."""
        self.died: asyncio.Future[str] = self._loop.create_future()
        """Once it is dead: a sentence that says so, and why where that is known. Wait for it with `asyncio.wait`, which
        never cancels it.
        """
        self._loop.add_reader(connection.pidfd, self._notice_death)
        connection.stream.listen(self._hear, self._lose)

    @property
    def alive(self) -> bool:
        """Whether its death has not been noticed yet."""
        return not self.died.done()

    async def evaluate(self, kind: str, /, *, seconds: float, **fields: Writable) -> Reply:
        """As `ask`, for a request that runs code of the world: the worker knows how many `seconds` that may take."""
        return await self.answer(self.send(kind, milliseconds=milliseconds(seconds), **fields), seconds=seconds)

    async def ask(
        self, kind: str, /, *, seconds: float = REPLY_SECONDS, grace: float = GRACE_SECONDS, **fields: Writable
    ) -> Reply:
        """Send one request and return its reply.

        When all requests before it are answered and `seconds` have passed, the worker is interrupted, and `grace`
        seconds later killed. A caller that is cancelled leaves the conversation in step. Raises `WorkerDied` when the
        worker is dead or dies first, and `WorkerError` when it refuses the request.
        """
        return await self.answer(self.send(kind, **fields), seconds=seconds, grace=grace)

    def send(self, kind: str, /, **fields: Writable) -> Asked:
        """Send one request; `answer` waits for the reply."""
        frame = encode(kind, **fields)
        asked = self._expect()
        if self.alive:
            self._connection.stream.send(frame)
        return asked

    def send_resume(self, **fields: Writable) -> tuple[Asked, Asked]:
        """Send `:resume`; return what waits for the reply, and what waits for the outcome after `Resumed`."""
        asked = self.send("resume", **fields)
        asked.outcome = self._expect()
        return asked, asked.outcome

    def _expect(self) -> Asked:
        asked = Asked(self._loop.create_future())
        if self.alive:
            self._asked.append(asked)
        else:
            asked.fail(self.died.result())
        return asked

    async def answer(self, asked: Asked, *, seconds: float = REPLY_SECONDS, grace: float = GRACE_SECONDS) -> Reply:
        """Wait for a message that is expected; `ask` tells the rest."""
        while not asked.reply.done():
            done, _ = await asyncio.wait({asked.reply}, timeout=seconds)
            if not done and self._asked[0] is asked:
                await self._interrupt(asked, grace)
        reply = asked.reply.result()
        if isinstance(reply, Refused):
            raise WorkerError(f"The {self.role} refuses: {reply.reason}")
        return reply

    def unexpected(self, reply: Reply) -> WorkerError:
        """Kill a worker whose reply does not belong to its request; return the error to raise."""
        self.kill(f"it answered {type(reply).__name__} to another question")
        return WorkerError(f"The {self.role} gave an answer that does not belong to the question: {repr(reply)[:200]}")

    async def interrupt(self, grace: float = GRACE_SECONDS) -> None:
        """Tell the code that is being evaluated that its time is over; kill the worker if that does not stop it.

        `grace` is how many seconds it has. Does nothing when the worker waits for its controller.
        """
        if self._asked:
            await self._interrupt(self._asked[0], grace)

    async def _interrupt(self, asked: Asked, grace: float) -> None:
        end = self._loop.time() + grace
        while self._loop.time() < end:
            self.signal(signal.SIGXCPU)
            done, _ = await asyncio.wait({asked.reply}, timeout=INTERRUPT_SECONDS)
            if done:
                return
        self.deaf = True
        self.kill(f"it did not stop within {grace:g} s of being told to")
        await asyncio.wait({asked.reply})

    def signal(self, number: signal.Signals) -> None:
        """Send a signal to this very process; nothing happens when it is dead."""
        if self.alive:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._connection.pidfd, number)

    def kill(self, cause: str = "") -> None:
        """Send SIGKILL. `cause`, if given, goes into the sentence of `died`."""
        if not self._gone:
            self._cause = self._cause or cause
            self.signal(signal.SIGKILL)

    def exit(self) -> None:
        """Ask it to end; there is no reply."""
        if self.alive:
            self._connection.stream.send(encode("exit"))

    async def wait_dead(self) -> None:
        """Wait until it is dead."""
        await asyncio.wait({self.died})

    def _hear(self, message: Message) -> None:
        self.troubles += Fields(message).texts("troubles")
        self._deliver(parse(message))

    def _lose(self, reason: str) -> None:
        if reason:
            self.kill(f"it broke the protocol: {reason}")
        elif not self._gone:
            # As a rule it is dying, and its pidfd tells in a moment.
            self._farewell = self._loop.call_later(GRACE_SECONDS, self.kill, "it closed its connection")

    def _deliver(self, reply: Reply) -> None:
        if not self._asked:
            raise WorkerError(f"it said :{type(reply).__name__.lower()} without being asked")
        asked = self._asked[0]
        if isinstance(reply, Chunk):
            asked.chunks.append(reply)
            asked.characters += len(reply.text)
            if asked.characters > MAX_CHUNKED_CHARACTERS:
                raise WorkerError(f"an export of more than {MAX_CHUNKED_CHARACTERS} characters")
        else:
            self._asked.popleft()
            asked.reply.set_result(reply)
            if asked.outcome is not None and not isinstance(reply, Resumed):
                self._asked.remove(asked.outcome)

    def _notice_death(self) -> None:
        self._loop.remove_reader(self._connection.pidfd)
        self._gone = True
        if self._farewell is not None:
            self._farewell.cancel()
        self._burial = self._loop.create_task(self._bury())

    async def _bury(self) -> None:
        # What it wrote before it died is in the socket's buffer: let the loop read that first.
        for _ in range(3):
            await asyncio.sleep(0)
        self._connection.close()
        self.died.set_result(self._obituary())
        for asked in self._asked:
            asked.fail(self.died.result())
        self._asked.clear()
        self._on_death(self)

    def _obituary(self) -> str:
        sentence = f"The {self.role} process (pid {self.pid}) died"
        if self._cause:
            return f"{sentence}: {self._cause}."
        words = _without_frames(self._last_words())
        if _FULL_HEAP in words:
            return f"{sentence}: the heap was exhausted. `heap_mb` in [limits] of world.toml is its size."
        return f"{sentence}. SBCL said last: {words[-MAX_LAST_WORDS:]}" if words else f"{sentence}."


def _without_frames(said: str) -> str:
    """What SBCL said on one line; of what its runtime says before it gives up, the error without tables and frames."""
    lines = [line for line in said.splitlines() if not _FRAME.match(line)]
    words = " ".join("".join(letter if letter.isprintable() else " " for letter in "\n".join(lines)).split())
    return words[max(0, words.rfind(_FATAL)) :]
