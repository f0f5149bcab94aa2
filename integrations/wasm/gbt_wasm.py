"""The gbt runtime in process, from its WebAssembly module (pip install wasmtime)."""

import base64
import json
from typing import Any

import wasmtime


class Gbt:
    """One policy and its sessions. The module has no files, clock or network."""

    def __init__(self, module: str) -> None:
        engine = wasmtime.Engine()
        linker = wasmtime.Linker(engine)
        linker.define_wasi()
        self._store = wasmtime.Store(engine)
        self._store.set_wasi(wasmtime.WasiConfig())
        instance = linker.instantiate(self._store, wasmtime.Module.from_file(engine, module))
        exports = instance.exports(self._store)
        exports["_initialize"](self._store)
        self._memory, self._alloc, self._call = exports["memory"], exports["gbt_alloc"], exports["gbt_call"]

    def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Answers one request; raises ValueError where it is refused."""
        request = json.dumps({"do": do, **fields}).encode()
        at = self._alloc(self._store, len(request))
        if at == 0:
            raise ValueError("the request is too large")
        self._memory.write(self._store, request, at & 0xFFFFFFFF)
        packed = self._call(self._store)
        start, size = (packed >> 32) & 0xFFFFFFFF, packed & 0xFFFFFFFF
        answer = json.loads(bytes(self._memory.read(self._store, start, start + size)))
        if not answer["ok"]:
            raise ValueError(answer["error"])
        return answer

    def open(self, policy: bytes, keys: list[str] | None = None) -> dict[str, Any]:
        """Opens a policy file; with keys only one that they signed."""
        return self.ask("open", policy=base64.b64encode(policy).decode(), keys=keys or [])
