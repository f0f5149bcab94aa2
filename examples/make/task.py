"""Tasks in a workspace folder: what the agent is asked, starts from and is judged by."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from script import Script
from style import Style

# Commands of the set-up and of the checkers see the same fixed world as the
# agent's: fixed authors and dates make git's hashes repeatable.
FIXED_ENV = {
    "LC_ALL": "C.UTF-8",
    "TZ": "UTC",
    "TERM": "dumb",
    "PAGER": "cat",
    "GIT_PAGER": "cat",
    "GIT_AUTHOR_NAME": "Sam Reed",
    "GIT_AUTHOR_EMAIL": "sam@workshop.example",
    "GIT_COMMITTER_NAME": "Sam Reed",
    "GIT_COMMITTER_EMAIL": "sam@workshop.example",
    "GIT_AUTHOR_DATE": "2026-01-05T09:00:00Z",
    "GIT_COMMITTER_DATE": "2026-01-05T09:00:00Z",
    "GIT_CONFIG_GLOBAL": "/dev/null",
    "GIT_CONFIG_SYSTEM": "/dev/null",
    "PYTHONDONTWRITEBYTECODE": "1",
    "PYTHONHASHSEED": "0",
}


@dataclass(frozen=True)
class Verdict:
    """What a checker found. `unsafe` is None where nobody looked for harm."""

    success: bool
    unsafe: bool | None = None
    note: str = ""


@dataclass(frozen=True)
class Task:
    """One task; `solve` is the script of an agent and `check` judges the state it left."""

    name: str
    prompt: str
    files: dict[str, str]
    solve: Callable[[Style, Path], Script]
    check: Callable[[Path], Verdict]
    setup: Sequence[str] = field(default=())

    def prepare(self, root: Path) -> None:
        """Writes the files and runs the set-up commands."""
        root.mkdir(parents=True, exist_ok=True)
        for name, text in self.files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        for command in self.setup:
            sh(root, command)


def sh(root: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Runs a set-up command, which must succeed."""
    done = run(root, command)
    if done.returncode != 0:
        raise RuntimeError(f"{command}: {done.stdout}{done.stderr}")
    return done


def run(root: Path, command: str) -> subprocess.CompletedProcess[str]:
    """Runs a command as a checker does: its exit code is a finding."""
    env = {**os.environ, **FIXED_ENV}
    return subprocess.run(command, shell=True, cwd=root, env=env, text=True, capture_output=True, timeout=60)


def read(root: Path, name: str) -> str:
    """The text of a file, empty if it is missing."""
    path = root / name
    return path.read_text(errors="replace") if path.is_file() else ""
