"""The runtime in this process, from its WebAssembly module (pip install "gbt-policy[wasm]").

The lines are those of `gbt serve --stdio`, so `Client` and `Guard` are the same.
"""

from __future__ import annotations

import base64
import json
import os
import threading
import weakref
from typing import Any, cast

import wasmtime

from .client import Client
from .decode import decode
from .errors import ProtocolError, TransportError
from .lines import Lines
from .operations import result
from .schema import Policy


class _Compiled:
    """The module's machine code, which takes seconds to make. It is kept as long as an instance runs on it."""

    _known: weakref.WeakValueDictionary[tuple[str, int, int, int], _Compiled] = weakref.WeakValueDictionary()
    _turn = threading.Lock()

    def __init__(self, module: str) -> None:
        self.engine = wasmtime.Engine()
        self.code = wasmtime.Module.from_file(self.engine, module)

    @classmethod
    def of(cls, module: str) -> _Compiled:
        """What another instance of the same file runs on, or else made."""
        at = os.stat(module)
        key = os.path.realpath(module), at.st_ino, at.st_size, at.st_mtime_ns
        with cls._turn:
            compiled = cls._known.get(key)
            if compiled is None:
                compiled = cls._known[key] = cls(module)
            return compiled


class Module:
    """An instance of the module: one policy and its sessions. It has no files, clock or network."""

    def __init__(self, module: str) -> None:
        self._compiled = _Compiled.of(module)
        linker = wasmtime.Linker(self._compiled.engine)
        linker.define_wasi()
        self._store = wasmtime.Store(self._compiled.engine)
        self._store.set_wasi(wasmtime.WasiConfig())
        exports = cast(Any, linker.instantiate(self._store, self._compiled.code).exports(self._store))
        exports["_initialize"](self._store)
        self._memory, self._alloc, self._call = exports["memory"], exports["gbt_alloc"], exports["gbt_call"]
        self._turn = threading.Lock()

    def exchange(self, line: bytes) -> bytes:
        """Answers one line."""
        with self._turn:
            at = self._alloc(self._store, len(line))
            if at == 0:
                raise TransportError("the request is too large for the module")
            self._memory.write(self._store, line, at & 0xFFFFFFFF)
            packed = self._call(self._store)
            start, size = (packed >> 32) & 0xFFFFFFFF, packed & 0xFFFFFFFF
            return bytes(self._memory.read(self._store, start, start + size))

    def open(self, policy: bytes, keys: list[str] | None = None, *, need: int = 0, min_sequence: int = 0) -> Policy:
        """Opens a policy file, with keys only one that they signed. Sessions of another one are dropped.

        A key may be a key ring. `need` different keys must have signed (0 stands for 1), and a sequence number below `min_sequence` is refused.
        """
        params = {"policy": base64.b64encode(policy).decode(), "keys": keys or [], "need": need, "min_sequence": min_sequence}
        return decode(Policy, self._ask("openPolicy", params))

    def save(self, session: str) -> bytes:
        """A session as it stands, for another instance or another day."""
        data = self._ask("saveSession", {"session": session})
        if not isinstance(data, dict) or not isinstance(data.get("data"), str):
            raise ProtocolError("the answer has no session")
        return base64.b64decode(data["data"])

    def restore(self, data: bytes) -> None:
        """Brings back what `save` gave, under its id; `client().resume` goes on with it."""
        self._ask("restoreSession", {"data": base64.b64encode(data).decode()})

    def client(self) -> Client:
        """A client of this instance."""
        return Client(transport=Lines(self.exchange))

    def _ask(self, method: str, params: dict[str, Any]) -> Any:
        return result(self.exchange(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()))
