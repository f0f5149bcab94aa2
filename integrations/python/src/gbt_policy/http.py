"""The transports over HTTP: a unix socket, or TCP with a bearer token."""

from __future__ import annotations

from typing import TypeVar

import httpx

from .address import parse
from .errors import TransportError
from .operations import Request

T = TypeVar("T")


class Http:
    """Requests of the sync client."""

    def __init__(self, address: str | None, token: str | None, timeout: float) -> None:
        at = parse(address)
        self._http = httpx.Client(base_url=at.url, transport=httpx.HTTPTransport(uds=at.socket), headers=_bearer(token), timeout=timeout)

    def send(self, request: Request[T]) -> T:
        try:
            r = self._http.request(request.operation.method, request.path, content=request.body, headers=request.headers())
        except httpx.HTTPError as e:
            raise _lost(request.operation.method, request.path, e) from e
        return request.read(r.status_code, r.headers, r.content)

    def close(self) -> None:
        self._http.close()


class AsyncHttp:
    """Requests of the async client."""

    def __init__(self, address: str | None, token: str | None, timeout: float) -> None:
        at = parse(address)
        self._http = httpx.AsyncClient(base_url=at.url, transport=httpx.AsyncHTTPTransport(uds=at.socket), headers=_bearer(token), timeout=timeout)

    async def send(self, request: Request[T]) -> T:
        try:
            r = await self._http.request(request.operation.method, request.path, content=request.body, headers=request.headers())
        except httpx.HTTPError as e:
            raise _lost(request.operation.method, request.path, e) from e
        return request.read(r.status_code, r.headers, r.content)

    async def close(self) -> None:
        await self._http.aclose()


def _bearer(token: str | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"} if token else {}


def _lost(method: str, path: str, e: httpx.HTTPError) -> TransportError:
    return TransportError(f"{method} {path}: {e or type(e).__name__}")
