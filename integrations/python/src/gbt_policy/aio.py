"""The async client: client.py with `await`, and nothing else. A test holds the two together."""

from __future__ import annotations

from types import TracebackType
from typing import Self, TypeVar

from . import schema
from .errors import TransportError
from .http import AsyncHttp
from .operations import AsyncTransport, Request, new_key
from .schema import Call, CheckCallRequest, Confirmed, Decision, Env, Move, Outcome, Policy, Proposal, Result, SessionInfo, StartRequest, Status, TaskRequest

T = TypeVar("T")


class AsyncClient:
    """Talks to one policy. Safe for use by several tasks of one event loop.

    `address` is unix:///path, tcp://127.0.0.1:port or https://host; None is the
    default socket of `gbt serve`. On TCP give the `token`. A `transport` of your
    own goes before all three. A request whose answer is lost is repeated
    `retries` times with the same Idempotency-Key, so nothing happens twice.
    """

    def __init__(
        self, address: str | None = None, *, token: str | None = None, timeout: float = 30, retries: int = 2, transport: AsyncTransport | None = None
    ) -> None:
        self._retries = retries
        self._transport = transport or AsyncHttp(address, token, timeout)

    async def send(self, request: Request[T]) -> T:
        """Sends a request of any operation of `gbt_policy.schema`, again where its answer is lost."""
        for _ in range(self._retries):
            try:
                return await self._transport.send(request)
            except TransportError:
                pass
        return await self._transport.send(request)

    async def start(self, task: str | TaskRequest, env: Env | None = None) -> AsyncSession:
        """Starts a session for a task."""
        told: TaskRequest = {"text": task} if isinstance(task, str) else task
        # With an id of our own a lost answer can be asked for again.
        body: StartRequest = {"task": {**told, "id": told.get("id") or new_key()}}
        if env is not None:
            body["env"] = env
        info = await self.send(schema.START_SESSION.ask(body))
        return AsyncSession(self, info.session, info)

    async def resume(self, session: str) -> AsyncSession:
        """The session of this id, as it stands."""
        return AsyncSession(self, session, await self.send(schema.GET_SESSION.ask(None, session)))

    async def check_call(self, call: Call, *, task: str | None = None, untrusted: list[str] | None = None) -> Decision:
        """Decides on one call outside of any session."""
        body: CheckCallRequest = {"call": call}
        if task is not None:
            body["task"] = task
        if untrusted is not None:
            body["untrusted"] = untrusted
        return await self.send(schema.CHECK_CALL.ask(body))

    async def policy(self) -> Policy:
        """Which policy decides."""
        return await self.send(schema.GET_POLICY.ask(None))

    async def close(self) -> None:
        await self._transport.close()

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
        return await self._client.send(schema.PROPOSE.ask({"text": proposal} if isinstance(proposal, str) else proposal, self.id))

    async def check(self, call: Call) -> Decision:
        """Decides on a call before it runs."""
        return await self._client.send(schema.CHECK.ask({"call": call}, self.id))

    async def confirm(self, confirmation: str, agreed: bool, for_session: bool = False) -> Confirmed:
        """Tells what the user said; then check the call again. for_session: they agreed to the decision's offer."""
        said: schema.ConfirmRequest = {"confirmation": confirmation, "agreed": agreed}
        if for_session:
            said["for_session"] = True
        return await self._client.send(schema.CONFIRM.ask(said, self.id))

    async def observe(self, call: Call, result: Result) -> Status:
        """Tells what came of a call."""
        return (await self._client.send(schema.OBSERVE.ask({"call": call, "result": result}, self.id))).status

    async def report(self, check_id: str, passed: bool) -> Status:
        """Tells that a completion check ran."""
        return (await self._client.send(schema.REPORT.ask({"id": check_id, "passed": passed}, self.id))).status

    async def finish(self) -> Outcome:
        """Claims to be done."""
        return await self._client.send(schema.FINISH.ask({}, self.id))

    async def get(self) -> SessionInfo:
        """Where the session stands, with its trace."""
        return await self._client.send(schema.GET_SESSION.ask(None, self.id))

    async def delete(self) -> None:
        """Forgets the session."""
        await self._client.send(schema.DELETE_SESSION.ask(None, self.id))
