"""The real server, with a policy distilled from the example logs. Models are scripted; nothing here uses the network."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from gbt_policy import Client, Server

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(scope="session")
def gbt(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The program, built from this tree unless GBT names one."""
    if named := os.environ.get("GBT"):
        return named
    program = tmp_path_factory.mktemp("bin") / "gbt"
    subprocess.run(["go", "build", "-o", program, "./cmd/gbt"], cwd=ROOT, check=True)
    return str(program)


@pytest.fixture(scope="session")
def policy(gbt: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("policy") / "policy.gbt"
    subprocess.run([gbt, "distill", "--quiet", ROOT / "examples" / "logs", "-o", file], check=True, capture_output=True)
    return file


@pytest.fixture(scope="session")
def server(gbt: str, policy: Path) -> Iterator[Server]:
    with Server(policy, gbt=gbt) as s:
        yield s


@pytest.fixture
def client(server: Server) -> Iterator[Client]:
    with server.client() as c:
        yield c


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A workspace with a file, and beside it a key that no task needs."""
    root = tmp_path / "work"
    root.mkdir()
    (root / "parser.py").write_text("def parse(s):\n    return s.split(',')\n")
    return root
