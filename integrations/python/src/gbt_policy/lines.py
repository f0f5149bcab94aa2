"""JSON-RPC over whatever carries a line and brings one back: a WebAssembly module, or the streams of `gbt serve --stdio`."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from .operations import Request

T = TypeVar("T")


class Lines:
    """A transport of one line at a time."""

    def __init__(self, exchange: Callable[[bytes], bytes]) -> None:
        self._exchange = exchange

    def send(self, request: Request[T]) -> T:
        return request.read_line(self._exchange(request.line()))

    def close(self) -> None:
        pass
