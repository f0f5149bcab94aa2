"""One value for each operation of docs/openapi.yaml, and what a request of it is on each way to the server.

Which operations there are is said in schema.py. Over HTTP and as a line of JSON-RPC a request differs in its
spelling, in nothing else: the same errors come back, and the same answers.
"""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from .decode import decode
from .errors import ProtocolError, api_error

B = TypeVar("B")
T = TypeVar("T", covariant=True)
A = TypeVar("A")

# So that an id can't walk out of its path; the server's own rule.
_SESSION = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


@dataclass(frozen=True, slots=True)
class Operation(Generic[B, T]):
    """An operation that takes a B, None for no body, and answers with a T."""

    name: str
    method: str
    path: str
    status: int
    answer: type[T]
    keyed: bool

    def ask(self, body: B, session: str | None = None) -> Request[T]:
        """A request; `session` is the id of the session that it is about."""
        if session is not None and not _SESSION.fullmatch(session):
            raise ValueError(f"{session!r} is no session id")
        if (session is not None) != ("{session}" in self.path):
            raise ValueError(f"{self.name} and the session {session!r} do not go together")
        return Request(self, session, None if body is None else _json(body), new_key() if self.keyed else None)


@dataclass(frozen=True, slots=True)
class Request(Generic[T]):
    """One request. Sent again, it is the same one: nothing happens twice."""

    operation: Operation[Any, T]
    session: str | None
    body: bytes | None
    key: str | None

    @property
    def path(self) -> str:
        return self.operation.path.replace("{session}", self.session or "")

    def headers(self) -> dict[str, str]:
        out = {"Accept": "application/json"}
        if self.body is not None:
            out["Content-Type"] = "application/json"
        if self.key is not None:
            out["Idempotency-Key"] = self.key
        return out

    def read(self, status: int, headers: Mapping[str, str], content: bytes) -> T:
        """The answer of HTTP, or the error that it is."""
        if status != self.operation.status:
            raise _refusal(status, headers, content)
        return self._answer(None if self.operation.answer is type(None) else _parse(content))

    def line(self) -> bytes:
        """The request as JSON-RPC."""
        body: Any = {} if self.body is None else json.loads(self.body)
        named = {"session": self.session, "idempotency_key": self.key}
        params = body | {k: v for k, v in named.items() if v is not None}
        return _json({"jsonrpc": "2.0", "id": 1, "method": self.operation.name, "params": params})

    def read_line(self, line: bytes) -> T:
        """The answer of JSON-RPC, or the error that it is."""
        return self._answer(result(line))

    def _answer(self, data: object) -> T:
        if self.operation.answer is type(None):
            return self.operation.answer()
        return decode(self.operation.answer, data)


class Transport(Protocol):
    """A way to the server. It raises TransportError where no answer comes; the request may be sent again."""

    def send(self, request: Request[A]) -> A: ...
    def close(self) -> None: ...


class AsyncTransport(Protocol):
    """A way to the server, awaited."""

    async def send(self, request: Request[A]) -> A: ...
    async def close(self) -> None: ...


def result(line: bytes) -> object:
    """What a line of JSON-RPC answers, or the error that it is."""
    reply = _parse(line)
    if not isinstance(reply, dict) or reply.get("jsonrpc") != "2.0" or ("result" in reply) == ("error" in reply):
        raise ProtocolError("the answer is no JSON-RPC")
    if "error" in reply:
        raise _line_refusal(reply["error"])
    return reply["result"]


def new_key() -> str:
    """A new Idempotency-Key or session id."""
    return uuid.uuid4().hex


def _json(body: object) -> bytes:
    try:
        return json.dumps(body, ensure_ascii=False, allow_nan=False).encode("utf-8", "surrogatepass")
    except (TypeError, ValueError, RecursionError) as e:
        raise ValueError(f"this is no JSON: {e}") from e


def _parse(content: bytes) -> Any:
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


def _line_refusal(error: Any) -> Exception:
    try:
        return api_error(int(error["data"]["status"]), str(error["data"]["code"]), str(error["message"]), None)
    except (ValueError, KeyError, TypeError):
        return ProtocolError("an error that cannot be read")
