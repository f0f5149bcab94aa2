"""Starts `gbt serve` as a subprocess."""

from __future__ import annotations

import os
import secrets
import shutil
import subprocess
import tempfile
import threading
from collections import deque
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from .aio import AsyncClient
from .client import Client
from .errors import ServerError

_LISTENING = "gbt: listening on "


class Server:
    """A `gbt serve` of our own, on a socket that only this user may open.

    It runs from `start` (or `with`) to `stop`. With `tcp` it listens on a free
    port of loopback, with a token made up here. `args` go to the command as
    they are (`["--trust", "team.pub"]`). `gbt` is the program, by default the
    one of the environment variable GBT or on the path.
    """

    def __init__(
        self, policy: str | os.PathLike[str], *, args: Sequence[str] = (), tcp: bool = False, gbt: str | None = None, wait: float = 30
    ) -> None:
        self.address = ""
        self.token = secrets.token_hex(32) if tcp else None
        self._policy = os.fspath(policy)
        self._args = list(args)
        self._gbt = gbt or os.environ.get("GBT") or "gbt"
        self._wait = wait
        self._folder = ""
        self._process: subprocess.Popen[str] | None = None
        self._said: deque[str] = deque(maxlen=40)
        self._listening = threading.Event()

    def start(self) -> Self:
        """Starts the process and waits until it listens."""
        program = shutil.which(self._gbt)
        if program is None:
            raise ServerError(f"{self._gbt}: not found; install gbt, or name it in GBT")
        if self._process is not None:
            raise ServerError("started already")
        # A short name: a socket's path may have about 100 characters.
        self._folder = tempfile.mkdtemp(prefix="gbt-")
        listen = "tcp://127.0.0.1:0" if self.token else f"unix://{Path(self._folder, 's')}"
        env = os.environ | ({"GBT_TOKEN": self.token} if self.token else {})
        command = [program, "serve", "--policy", self._policy, "--listen", listen, *self._args]
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", env=env
        )
        threading.Thread(target=self._read, args=(self._process,), daemon=True).start()
        if not self._listening.wait(self._wait) or not self.address:
            self.stop()
            raise ServerError("gbt serve did not start: " + " / ".join(self._said))
        return self

    def _read(self, process: subprocess.Popen[str]) -> None:
        assert process.stderr is not None
        with process.stderr:
            for line in process.stderr:
                self._said.append(line.rstrip())
                if line.startswith(_LISTENING):
                    self.address = line[len(_LISTENING) :].strip()
                    self._listening.set()
        self._listening.set()

    def stop(self) -> None:
        """Ends the process; it answers what it has begun."""
        process, self._process = self._process, None
        if process is not None:
            process.terminate()
            try:
                process.wait(15)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        if self._folder:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = ""
        self.address = ""
        self._listening.clear()

    def client(self, *, timeout: float = 30, retries: int = 2) -> Client:
        """A client of this server."""
        return Client(self._running(), token=self.token, timeout=timeout, retries=retries)

    def async_client(self, *, timeout: float = 30, retries: int = 2) -> AsyncClient:
        """An async client of this server."""
        return AsyncClient(self._running(), token=self.token, timeout=timeout, retries=retries)

    def _running(self) -> str:
        if not self.address:
            raise ServerError("the server is not running")
        return self.address

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, kind: type[BaseException] | None, e: BaseException | None, trace: TracebackType | None) -> None:
        self.stop()
