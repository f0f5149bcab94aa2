"""The async client: client.py with `await`. A test holds the two together."""

from __future__ import annotations

from types import TracebackType
from typing import Self, TypeVar

import httpx

from . import operations as op
from .address import parse
from .errors import TransportError
from .schema import Call, Confirmed, Decision, Env, Move, Observed, Outcome, Policy, Proposal, Result, SessionInfo, Status, TaskRequest

T = TypeVar("T")


class AsyncClient:
    """Talks to one `gbt serve`. Safe for use by several tasks of one event loop.

    `address` is unix:///path, tcp://127.0.0.1:port or https://host; None is the
    server's default socket. On TCP give the `token`. A request whose answer is
    lost is repeated `retries` times with the same Idempotency-Key, so nothing
    happens twice.
    """

    def __init__(self, address: str | None = None, *, token: str | None = None, timeout: float = 30, retries: int = 2) -> None:
        at = parse(address)
        self._retries = retries
        self._http = httpx.AsyncClient(
            base_url=at.url,
            transport=httpx.AsyncHTTPTransport(uds=at.socket),
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=timeout,
        )

    async def send(self, operation: op.Operation[T]) -> T:
        """Sends a request of `gbt_policy.operations` and reads its answer."""
        for left in range(self._retries, -1, -1):
            try:
                r = await self._http.request(operation.method, operation.path, content=operation.content, headers=operation.headers())
                return operation.read(r.status_code, r.headers, r.content)
            except httpx.TransportError as e:
                if left == 0:
                    raise TransportError(f"{operation.method} {operation.path}: {e or type(e).__name__}") from e
            except httpx.HTTPError as e:
                raise TransportError(f"{operation.method} {operation.path}: {e}") from e
        raise AssertionError("unreachable")

    async def start(self, task: str | TaskRequest, env: Env | None = None) -> AsyncSession:
        """Starts a session for a task."""
        info = await self.send(op.start({"text": task} if isinstance(task, str) else task, env))
        return AsyncSession(self, info.session, info)

    async def resume(self, session: str) -> AsyncSession:
        """The session of this id, as it stands."""
        return AsyncSession(self, session, await self.send(op.get(session)))

    async def check_call(self, call: Call, *, task: str | None = None, untrusted: list[str] | None = None) -> Decision:
        """Decides on one call outside of any session."""
        return await self.send(op.check_call(call, task, untrusted))

    async def policy(self) -> Policy:
        """Which policy decides."""
        return await self.send(op.policy())

    async def close(self) -> None:
        await self._http.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()


class AsyncSession:
    """One run of one task. `info` is how it started, or was when it was resumed."""

    def __init__(self, client: AsyncClient, session: str, info: SessionInfo) -> None:
        self._client = client
        self.id = session
        self.info = info

    async def propose(self, proposal: str | Proposal) -> Move:
        """Tells what the executor wants to do next; the answer has the macro and the brief."""
        p: Proposal = {"text": proposal} if isinstance(proposal, str) else proposal
        return await self._client.send(op.propose(self.id, p))

    async def check(self, call: Call) -> Decision:
        """Decides on a call before it runs."""
        return await self._client.send(op.check(self.id, call))

    async def confirm(self, confirmation: str, agreed: bool) -> Confirmed:
        """Tells what the user said; then check the call again."""
        return await self._client.send(op.confirm(self.id, confirmation, agreed))

    async def observe(self, call: Call, result: Result) -> Status:
        """Tells what came of a call."""
        return (await self._client.send(op.observe(self.id, call, result))).status

    async def report(self, check_id: str, passed: bool) -> Status:
        """Tells that a completion check ran."""
        return (await self._client.send(op.report(self.id, check_id, passed))).status

    async def finish(self) -> Outcome:
        """Claims to be done."""
        return await self._client.send(op.finish(self.id))

    async def get(self) -> SessionInfo:
        """Where the session stands, with its trace."""
        return await self._client.send(op.get(self.id))

    async def delete(self) -> None:
        """Forgets the session."""
        await self._client.send(op.delete(self.id))
