"""Worker processes, and the jobs that run in them.

`Workers` lends processes; one that finished its task is used again, one that did not is killed.
`Jobs` are tasks whose events clients follow. Everything is bounded: how many run, for how long, how
many events are kept, how long a finished job is remembered, how long one runs that nobody follows.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import secrets
import sys
from collections import deque
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from gradwalk.lab.requests import Refusal
from gradwalk.lab.tasks import ANSWERS, JOBS
from gradwalk.lab.worker import MOST_BYTES


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of anything. Tests make them small."""

    body_bytes: int = 64 * 1024
    body_seconds: float = 10.0
    answer_seconds: float | None = None  # instead of the task's own
    job_seconds: float | None = None
    answers: int = 4  # at the same time; the next ones wait
    jobs: int = 2  # at the same time; the next one is refused
    kept: int = 32  # jobs remembered, running or not
    kept_seconds: float = 120.0  # after the end
    orphan_seconds: float = 30.0  # without anyone following
    followers: int = 4  # of one job
    heartbeat_seconds: float = 10.0
    idle_workers: int = 2


class _WorkerEndedError(Exception):
    """The process ended before its task was done."""


class _Worker:
    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.process = process
        self.is_used = False  # it has done a task before
        self.is_steered = False  # a line to pause or resume may still be on its way to it
        self._ending: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls) -> _Worker:
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-P",  # nothing is imported from the folder where the person happens to be
            "-m",
            "gradwalk.lab.worker",
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the server, which then ends its workers
        )
        return cls(process)

    async def events(
        self, table: str, task: str, fields: dict[str, Any]
    ) -> AsyncIterator[tuple[str, bytes]]:
        """Yield the events of a task; the last is a result or an error."""
        requests, frames = self.process.stdin, self.process.stdout
        assert requests is not None
        assert frames is not None
        event = ""
        try:
            request = json.dumps({"table": table, "task": task, "fields": fields})
            requests.write(request.encode("ascii") + b"\n")
            await requests.drain()
            while event not in ("result", "error"):
                name, length = (await frames.readuntil(b"\n")).split()
                event = name.decode("ascii")
                yield event, await frames.readexactly(min(int(length), MOST_BYTES))
        except (asyncio.IncompleteReadError, ConnectionError):
            raise _WorkerEndedError from None

    def steer(self, word: str) -> None:
        """Tell the task in progress to pause or to resume."""
        self.is_steered = True
        if self.process.stdin is not None and self.process.returncode is None:
            self.process.stdin.write(word.encode("ascii") + b"\n")

    async def end(self) -> None:
        """Kill the process and wait until it is gone; once is enough, more does no harm."""
        if self._ending is None:
            self._ending = asyncio.create_task(self._end())
        await asyncio.shield(self._ending)

    async def _end(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            self.process.kill()
        await self.process.communicate()  # not wait(), which a full pipe would hold up


class Workers:
    """Processes to compute in: started when needed, kept when they did well."""

    def __init__(self, limits: Limits) -> None:
        self._most_idle = limits.idle_workers
        self._idle: list[_Worker] = []
        self._lent: set[_Worker] = set()
        self._starting: set[asyncio.Future[_Worker]] = set()
        self._ending: set[_Worker] = set()  # `close` waits for these, whoever else gave up waiting
        self._closed = False

    @contextlib.asynccontextmanager
    async def lend(self) -> AsyncGenerator[_Worker]:
        worker = None
        while self._idle and worker is None:
            candidate = self._idle.pop()
            if candidate.process.returncode is None:
                worker = candidate
            else:
                await self._end(candidate)
        worker = worker or await self._started()
        self._lent.add(worker)
        whole = False
        try:
            yield worker
            whole = True
        finally:
            self._lent.discard(worker)
            worker.is_used = True
            lives = worker.process.returncode is None and not worker.is_steered
            if whole and lives and not self._closed and len(self._idle) < self._most_idle:
                self._idle.append(worker)
            else:
                await self._end(worker)

    async def _end(self, worker: _Worker) -> None:
        self._ending.add(worker)
        await worker.end()
        self._ending.discard(worker)

    async def _started(self) -> _Worker:
        """Start a worker; whoever is cancelled meanwhile leaves no process behind."""
        starting = asyncio.ensure_future(_Worker.start())
        self._starting.add(starting)
        starting.add_done_callback(self._starting.discard)
        try:
            return await asyncio.shield(starting)
        except asyncio.CancelledError:
            await self._end(await starting)
            raise

    async def events(
        self,
        table: str,
        task: str,
        fields: dict[str, Any],
        lent: Callable[[_Worker], None] = lambda _: None,
    ) -> AsyncGenerator[tuple[str, bytes]]:
        """Yield the events of a task, from a worker that lives; `lent` hears which one it is.

        One that waited here may have been killed meanwhile, as by a system short of memory. Then
        nothing was computed yet, and the next worker is asked.
        """
        while True:
            begun = False
            async with self.lend() as worker:
                try:
                    lent(worker)
                    async for event in worker.events(table, task, fields):
                        begun = True
                        yield event
                    return
                except _WorkerEndedError:
                    if begun or not worker.is_used:
                        message = "the process that computed this ended before it was done"
                        raise Refusal(500, "InternalError", message) from None
                    await self._end(worker)

    async def close(self) -> None:
        self._closed = True
        started = await asyncio.gather(*self._starting, return_exceptions=True)
        everyone = {*self._idle, *self._lent, *self._ending}
        everyone |= {worker for worker in started if isinstance(worker, _Worker)}
        self._idle.clear()
        await asyncio.gather(*[worker.end() for worker in everyone])


class Event(NamedTuple):
    """One event of a job: numbered from 1, so that a client can go on where it was."""

    number: int
    name: str
    data: bytes


_LAST = ("result", "error", "cancelled")
_MOST_EVENTS = 1000


class Job:
    """A task under way, or done. `events` are the latest of its events."""

    def __init__(self, kind: str, fields: dict[str, Any]) -> None:
        self.id = secrets.token_urlsafe(12)
        self.kind = kind
        self.fields = fields
        self.events: deque[Event] = deque(maxlen=_MOST_EVENTS)
        self.followers = 0
        self.task: asyncio.Task[None] | None = None
        self.worker: _Worker | None = None
        self.clock: asyncio.Timeout | None = None
        self.seconds_left: float | None = None  # while it is paused
        self.orphaned: asyncio.TimerHandle | None = None
        self._count = 0
        self._news = asyncio.Event()

    @property
    def done(self) -> bool:
        return bool(self.events) and self.events[-1].name in _LAST

    def add(self, name: str, data: bytes) -> None:
        self._count += 1
        self.events.append(Event(self._count, name, data))
        self._news.set()
        self._news = asyncio.Event()

    async def news(self, after: int, seconds: float) -> list[Event]:
        """Return the events after number `after`; wait for one, but not longer than `seconds`."""
        if self._count <= after and not self.done:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._news.wait(), seconds)
        return [event for event in self.events if event.number > after]


class Jobs:
    """The jobs of one server, and its direct answers."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self._workers = Workers(limits)
        self._answering = asyncio.Semaphore(limits.answers)
        self._jobs: dict[str, Job] = {}

    async def answer(self, task: str, fields: dict[str, Any]) -> bytes:
        """Return the result of a task of ANSWERS, or refuse with what went wrong."""
        seconds = self.limits.answer_seconds or ANSWERS[task].seconds
        try:
            last = "", b""
            async with (
                asyncio.timeout(seconds),
                self._answering,
                contextlib.aclosing(self._workers.events("answers", task, fields)) as events,
            ):
                async for last in events:  # noqa: B007
                    pass
        except TimeoutError:
            raise Refusal(503, "TooSlow", _too_slow(seconds)) from None
        event, data = last
        if event == "error":
            found = json.loads(data)
            status = 500 if found["error"] == "InternalError" else 422
            raise Refusal(status, found["error"], found["message"], found.get("column"))
        return data

    def start(self, kind: str, fields: dict[str, Any]) -> Job:
        running = [job for job in self._jobs.values() if not job.done and job.task is not None]
        if len(running) >= self.limits.jobs:
            raise Refusal(
                429,
                "TooManyJobs",
                f"{len(running)} jobs are running: wait for one to end, or cancel it",
                headers={"retry-after": "1"},
            )
        while len(self._jobs) >= self.limits.kept:
            oldest = next(job for job in self._jobs.values() if job.done and job.task is not None)
            del self._jobs[oldest.id]
        job = Job(kind, fields)
        self._jobs[job.id] = job
        job.task = asyncio.create_task(self._run(job))
        self._watch(job)
        return job

    def adopt(self, kind: str) -> Job:
        """Return a job whose events someone else adds, as a loop in this process."""
        job = Job(kind, {})
        self._jobs[job.id] = job
        return job

    def find(self, job_id: str) -> Job:
        if job_id not in self._jobs:
            raise Refusal(404, "NoSuchJob", "there is no such job: it may have ended long ago")
        return self._jobs[job_id]

    def admit(self, job: Job) -> None:
        """Count one more follower, or refuse where there are enough; `release` ends it."""
        if job.followers >= self.limits.followers:
            message = f"{job.followers} are following this job already"
            raise Refusal(429, "TooManyFollowers", message, headers={"retry-after": "1"})
        job.followers += 1
        self._watch(job)

    def release(self, job: Job) -> None:
        job.followers -= 1
        self._watch(job)

    async def cancel(self, job: Job) -> None:
        if job.task is not None and not job.done:
            job.task.cancel()
            await asyncio.wait([job.task])

    def steer(self, job: Job, word: str) -> None:
        """Pause or resume a job. Its time stands still while it is paused."""
        if job.done or job.clock is None:
            raise Refusal(409, "JobEnded", "this job has not begun, or is over")
        now = asyncio.get_running_loop().time()
        if (job.seconds_left is not None) == (word == "pause"):
            return
        if word == "pause":
            job.seconds_left = (job.clock.when() or now) - now
            job.clock.reschedule(None)
        else:
            job.clock.reschedule(now + (job.seconds_left or 0.0))
            job.seconds_left = None
        if job.worker is not None:
            job.worker.steer(word)
        job.add(f"{word}d", b"{}")

    async def follow(self, job: Job, after: int) -> AsyncGenerator[list[Event]]:
        """Yield lists of events as they come, empty ones as heartbeats, until the job is done."""
        while True:
            events = await job.news(after, self.limits.heartbeat_seconds)
            yield events
            after = events[-1].number if events else after
            if job.done and after >= job.events[-1].number:
                return

    async def close(self) -> None:
        for job in list(self._jobs.values()):
            self._forget(job.id)
            await self.cancel(job)
        await self._workers.close()

    async def _run(self, job: Job) -> None:
        seconds = self.limits.job_seconds or JOBS[job.kind].seconds

        def lent(worker: _Worker) -> None:
            job.worker = worker
            if job.seconds_left is not None:  # paused before it had a process
                worker.steer("pause")

        try:
            async with (
                asyncio.timeout(seconds) as job.clock,
                contextlib.aclosing(
                    self._workers.events("jobs", job.kind, job.fields, lent)
                ) as events,
            ):
                async for event, data in events:
                    job.add(event, data)
        except TimeoutError:
            job.add("error", Refusal(503, "TooSlow", _too_slow(seconds)).body())
        except Refusal as refusal:
            job.add("error", refusal.body())
        except asyncio.CancelledError:
            job.add("cancelled", b"{}")
        loop = asyncio.get_running_loop()
        loop.call_later(self.limits.kept_seconds, self._forget, job.id)

    def _watch(self, job: Job) -> None:
        """Cancel a job that nobody follows for too long: its page has been closed."""
        if job.orphaned is not None:
            job.orphaned.cancel()
            job.orphaned = None
        if not job.followers and job.task is not None and not job.done:
            loop = asyncio.get_running_loop()
            job.orphaned = loop.call_later(self.limits.orphan_seconds, job.task.cancel)

    def _forget(self, job_id: str) -> None:
        job = self._jobs.pop(job_id, None)
        if job is not None and job.orphaned is not None:
            job.orphaned.cancel()


def _too_slow(seconds: float) -> str:
    return f"this took longer than {seconds:g} s and was stopped: take a smaller graph"
