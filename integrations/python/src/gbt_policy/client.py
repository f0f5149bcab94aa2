"""The sync client."""

from __future__ import annotations

from types import TracebackType
from typing import Self, TypeVar

import httpx

from . import operations as op
from .address import parse
from .errors import TransportError
from .schema import Call, Confirmed, Decision, Env, Move, Observed, Outcome, Policy, Proposal, Result, SessionInfo, Status, TaskRequest

T = TypeVar("T")


class Client:
    """Talks to one `gbt serve`. Safe for use by several threads.

    `address` is unix:///path, tcp://127.0.0.1:port or https://host; None is the
    server's default socket. On TCP give the `token`. A request whose answer is
    lost is repeated `retries` times with the same Idempotency-Key, so nothing
    happens twice.
    """

    def __init__(self, address: str | None = None, *, token: str | None = None, timeout: float = 30, retries: int = 2) -> None:
        at = parse(address)
        self._retries = retries
        self._http = httpx.Client(
            base_url=at.url,
            transport=httpx.HTTPTransport(uds=at.socket),
            headers={"Authorization": f"Bearer {token}"} if token else {},
            timeout=timeout,
        )

    def send(self, operation: op.Operation[T]) -> T:
        """Sends a request of `gbt_policy.operations` and reads its answer."""
        for left in range(self._retries, -1, -1):
            try:
                r = self._http.request(operation.method, operation.path, content=operation.content, headers=operation.headers())
                return operation.read(r.status_code, r.headers, r.content)
            except httpx.TransportError as e:
                if left == 0:
                    raise TransportError(f"{operation.method} {operation.path}: {e or type(e).__name__}") from e
            except httpx.HTTPError as e:
                raise TransportError(f"{operation.method} {operation.path}: {e}") from e
        raise AssertionError("unreachable")

    def start(self, task: str | TaskRequest, env: Env | None = None) -> Session:
        """Starts a session for a task."""
        info = self.send(op.start({"text": task} if isinstance(task, str) else task, env))
        return Session(self, info.session, info)

    def resume(self, session: str) -> Session:
        """The session of this id, as it stands."""
        return Session(self, session, self.send(op.get(session)))

    def check_call(self, call: Call, *, task: str | None = None, untrusted: list[str] | None = None) -> Decision:
        """Decides on one call outside of any session."""
        return self.send(op.check_call(call, task, untrusted))

    def policy(self) -> Policy:
        """Which policy decides."""
        return self.send(op.policy())

    def close(self) -> None:
        self._http.close()

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
        p: Proposal = {"text": proposal} if isinstance(proposal, str) else proposal
        return self._client.send(op.propose(self.id, p))

    def check(self, call: Call) -> Decision:
        """Decides on a call before it runs."""
        return self._client.send(op.check(self.id, call))

    def confirm(self, confirmation: str, agreed: bool) -> Confirmed:
        """Tells what the user said; then check the call again."""
        return self._client.send(op.confirm(self.id, confirmation, agreed))

    def observe(self, call: Call, result: Result) -> Status:
        """Tells what came of a call."""
        return self._client.send(op.observe(self.id, call, result)).status

    def report(self, check_id: str, passed: bool) -> Status:
        """Tells that a completion check ran."""
        return self._client.send(op.report(self.id, check_id, passed)).status

    def finish(self) -> Outcome:
        """Claims to be done."""
        return self._client.send(op.finish(self.id))

    def get(self) -> SessionInfo:
        """Where the session stands, with its trace."""
        return self._client.send(op.get(self.id))

    def delete(self) -> None:
        """Forgets the session."""
        self._client.send(op.delete(self.id))
