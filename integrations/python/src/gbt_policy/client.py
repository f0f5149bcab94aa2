"""The sync client."""

from __future__ import annotations

from types import TracebackType
from typing import Self, TypeVar

from . import schema
from .errors import TransportError
from .http import Http
from .operations import Request, Transport, new_key
from .schema import Call, CheckCallRequest, Confirmed, Decision, Env, Move, Outcome, Policy, Proposal, Result, SessionInfo, StartRequest, Status, TaskRequest

T = TypeVar("T")


class Client:
    """Talks to one policy. Safe for use by several threads.

    `address` is unix:///path, tcp://127.0.0.1:port or https://host; None is the
    default socket of `gbt serve`. On TCP give the `token`. A `transport` of your
    own goes before all three. A request whose answer is lost is repeated
    `retries` times with the same Idempotency-Key, so nothing happens twice.
    """

    def __init__(
        self, address: str | None = None, *, token: str | None = None, timeout: float = 30, retries: int = 2, transport: Transport | None = None
    ) -> None:
        self._retries = retries
        self._transport = transport or Http(address, token, timeout)

    def send(self, request: Request[T]) -> T:
        """Sends a request of any operation of `gbt_policy.schema`, again where its answer is lost."""
        for _ in range(self._retries):
            try:
                return self._transport.send(request)
            except TransportError:
                pass
        return self._transport.send(request)

    def start(self, task: str | TaskRequest, env: Env | None = None) -> Session:
        """Starts a session for a task."""
        told: TaskRequest = {"text": task} if isinstance(task, str) else task
        # With an id of our own a lost answer can be asked for again.
        body: StartRequest = {"task": {**told, "id": told.get("id") or new_key()}}
        if env is not None:
            body["env"] = env
        info = self.send(schema.START_SESSION.ask(body))
        return Session(self, info.session, info)

    def resume(self, session: str) -> Session:
        """The session of this id, as it stands."""
        return Session(self, session, self.send(schema.GET_SESSION.ask(None, session)))

    def check_call(self, call: Call, *, task: str | None = None, untrusted: list[str] | None = None) -> Decision:
        """Decides on one call outside of any session."""
        body: CheckCallRequest = {"call": call}
        if task is not None:
            body["task"] = task
        if untrusted is not None:
            body["untrusted"] = untrusted
        return self.send(schema.CHECK_CALL.ask(body))

    def policy(self) -> Policy:
        """Which policy decides."""
        return self.send(schema.GET_POLICY.ask(None))

    def close(self) -> None:
        self._transport.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class Session:
    """One run of one task. `info` is how it started, or was when it was resumed."""

    def __init__(self, client: Client, session: str, info: SessionInfo) -> None:
        self._client = client
        self.id = session
        self.info = info

    def propose(self, proposal: str | Proposal) -> Move:
        """Tells what the executor wants to do next; the answer has the macro and the brief."""
        return self._client.send(schema.PROPOSE.ask({"text": proposal} if isinstance(proposal, str) else proposal, self.id))

    def check(self, call: Call) -> Decision:
        """Decides on a call before it runs."""
        return self._client.send(schema.CHECK.ask({"call": call}, self.id))

    def confirm(self, confirmation: str, agreed: bool, for_session: bool = False) -> Confirmed:
        """Tells what the user said; then check the call again. for_session: they agreed to the decision's offer."""
        said: schema.ConfirmRequest = {"confirmation": confirmation, "agreed": agreed}
        if for_session:
            said["for_session"] = True
        return self._client.send(schema.CONFIRM.ask(said, self.id))

    def observe(self, call: Call, result: Result) -> Status:
        """Tells what came of a call."""
        return self._client.send(schema.OBSERVE.ask({"call": call, "result": result}, self.id)).status

    def report(self, check_id: str, passed: bool) -> Status:
        """Tells that a completion check ran."""
        return self._client.send(schema.REPORT.ask({"id": check_id, "passed": passed}, self.id)).status

    def finish(self) -> Outcome:
        """Claims to be done."""
        return self._client.send(schema.FINISH.ask({}, self.id))

    def get(self) -> SessionInfo:
        """Where the session stands, with its trace."""
        return self._client.send(schema.GET_SESSION.ask(None, self.id))

    def delete(self) -> None:
        """Forgets the session."""
        self._client.send(schema.DELETE_SESSION.ask(None, self.id))
