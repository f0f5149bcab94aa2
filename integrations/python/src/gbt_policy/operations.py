"""One value for each request of docs/openapi.yaml, and what its answer is.

The sync and the async client differ in how they send these, in nothing else.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from .decode import decode
from .errors import ProtocolError, api_error
from .schema import Call, Confirmed, Decision, Env, Move, Observed, Outcome, Policy, Proposal, Result, SessionInfo, TaskRequest

T = TypeVar("T")

# So that an id can't walk out of its path; the server's own rule.
_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


@dataclass(frozen=True, slots=True)
class Operation(Generic[T]):
    """A request; `answer` is the class of its answer, None for no body."""

    method: str
    path: str
    status: int
    answer: type[T]
    content: bytes | None = None
    key: str | None = None

    def headers(self) -> dict[str, str]:
        out = {"Accept": "application/json"}
        if self.content is not None:
            out["Content-Type"] = "application/json"
        if self.key is not None:
            out["Idempotency-Key"] = self.key
        return out

    def read(self, status: int, headers: Mapping[str, str], content: bytes) -> T:
        """The answer, or the error that it is."""
        if status != self.status:
            raise _refusal(status, headers, content)
        if self.answer is type(None):
            return self.answer()
        return decode(self.answer, _json(content))


def _json(content: bytes) -> Any:
    try:
        return json.loads(content)
    except ValueError as e:
        raise ProtocolError(f"the answer is no JSON: {e}") from None


def _refusal(status: int, headers: Mapping[str, str], content: bytes) -> Exception:
    try:
        error = json.loads(content)["error"]
        code, message = str(error["code"]), str(error["message"])
    except (ValueError, KeyError, TypeError):
        return ProtocolError(f"status {status} without an error that can be read")
    after = headers.get("retry-after", "")
    return api_error(status, code, message, int(after) if after.isdecimal() else None)


def new_key() -> str:
    """A new Idempotency-Key or session id."""
    return uuid.uuid4().hex


def _content(body: Mapping[str, Any]) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError, RecursionError) as e:
        raise ValueError(f"this is no JSON: {e}") from e


def _within(session: str, what: str, body: Mapping[str, Any], answer: type[T]) -> Operation[T]:
    return Operation("POST", f"{_path(session)}/{what}", 200, answer, _content(body), new_key())


def _path(session: str) -> str:
    if not _SESSION.fullmatch(session):
        raise ValueError(f"{session!r} is no session id")
    return f"/v1/sessions/{session}"


def start(task: TaskRequest, env: Env | None) -> Operation[SessionInfo]:
    # With an id of our own a lost answer can be asked for again.
    named: TaskRequest = {**task, "id": task.get("id") or new_key()}
    body: dict[str, Any] = {"task": named}
    if env is not None:
        body["env"] = env
    return Operation("POST", "/v1/sessions", 201, SessionInfo, _content(body), new_key())


def get(session: str) -> Operation[SessionInfo]:
    return Operation("GET", _path(session), 200, SessionInfo)


def delete(session: str) -> Operation[None]:
    return Operation("DELETE", _path(session), 204, type(None))


def propose(session: str, proposal: Proposal) -> Operation[Move]:
    return _within(session, "propose", proposal, Move)


def check(session: str, call: Call) -> Operation[Decision]:
    return _within(session, "check", {"call": call}, Decision)


def confirm(session: str, confirmation: str, agreed: bool) -> Operation[Confirmed]:
    return _within(session, "confirm", {"confirmation": confirmation, "agreed": agreed}, Confirmed)


def observe(session: str, call: Call, result: Result) -> Operation[Observed]:
    return _within(session, "observe", {"call": call, "result": result}, Observed)


def report(session: str, check_id: str, passed: bool) -> Operation[Observed]:
    return _within(session, "report", {"id": check_id, "passed": passed}, Observed)


def finish(session: str) -> Operation[Outcome]:
    return _within(session, "finish", {}, Outcome)


def check_call(call: Call, task: str | None, untrusted: list[str] | None) -> Operation[Decision]:
    body: dict[str, Any] = {"call": call}
    if task is not None:
        body["task"] = task
    if untrusted is not None:
        body["untrusted"] = untrusted
    return Operation("POST", "/v1/check", 200, Decision, _content(body))


def policy() -> Operation[Policy]:
    return Operation("GET", "/v1/policy", 200, Policy)
