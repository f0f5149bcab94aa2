"""Where a server listens."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Address:
    """`socket` is the path of a unix socket, None for TCP; `url` is the base of every request."""

    socket: str | None
    url: str


def parse(address: str | None) -> Address:
    """Reads unix:///path, an absolute path, tcp://host:port or http(s)://host:port; None is the server's default."""
    if address is None:
        return Address(str(default_socket()), "http://localhost")
    scheme, sep, rest = address.partition("://")
    if not sep and address.startswith("/"):
        return Address(address, "http://localhost")
    if scheme == "unix" and rest.startswith("/"):
        return Address(rest, "http://localhost")
    if scheme == "tcp" and rest:
        return Address(None, f"http://{rest}")
    if scheme in ("http", "https") and rest:
        return Address(None, address.rstrip("/"))
    raise ValueError(f"{address!r} is no address: give unix:///path, tcp://127.0.0.1:port or https://host:port")


def default_socket(environ: Mapping[str, str] = os.environ) -> Path:
    """The socket of `gbt serve` without --listen."""
    runtime = environ.get("XDG_RUNTIME_DIR", "")
    if os.path.isabs(runtime):
        return Path(runtime, "gbt.sock")
    # As the server does: not tempfile's choice, which looks at more variables.
    return Path(environ.get("TMPDIR") or tempfile.gettempdir(), f"gbt-{os.getuid()}", "gbt.sock")
