"""Runs one build of gbt and keeps what it printed and wrote.

A Job is what both builds are made to do: a few command lines in an empty
directory, or a function. What it leaves in that directory is its answer. The
old build's answers are kept, named after the digest of its programs and of
everything it was given, so that the next comparison finds them there.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

TIMEOUT = 600  # seconds for one command line; it is a difference if it is reached


@dataclass(frozen=True)
class Side:
    """One build: gbt, and gbt-hook beside it."""

    gbt: Path
    digest: str
    home: Path  # where its answers lie
    temp: Path

    @property
    def hook(self) -> Path:
        return self.gbt.parent / "gbt-hook"

    def env(self) -> dict[str, str]:
        """Nothing of the user's own set-up may reach a build."""
        return {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": "/home/dev", "LC_ALL": "C.UTF-8", "TZ": "UTC",
            "TERM": "dumb", "NO_COLOR": "1", "TMPDIR": str(self.temp),
        }


@dataclass(frozen=True)
class Step:
    """One command line; {gbt} stands for the build. Its output goes to a file
    named out, and what it says beside that, with its exit status, to out.err."""

    out: str
    argv: list[str]
    stdin: Path | None = None


@dataclass(frozen=True)
class Job:
    part: str
    name: str
    steps: list[Step] = field(default_factory=list)
    call: Callable[[Side, Path], None] | None = None
    asked: Path | None = None  # the lines that were asked, to show beside an answer
    units: str = ""  # what an answer is to, for the report

    def where(self, side: Side) -> Path:
        return side.home / self.part / self.name.replace("/", "_").replace(" ", "-")


def digest_of(gbt: Path) -> str:
    """The digest of a build: of both of its programs."""
    h = hashlib.sha256()
    for path in (gbt, gbt.parent / "gbt-hook"):
        h.update(hashlib.sha256(path.read_bytes()).digest())
    return h.hexdigest()


def carry_out(job: Job, side: Side) -> float:
    """Carries a job out, unless its answer is there. Returns the seconds it took, then or now."""
    out = job.where(side)
    done = out / ".done"
    if done.exists():
        return json.loads(done.read_text())["seconds"]
    shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True)
    start = time.monotonic()
    for step in job.steps:
        carry_out_step(step, side, out)
    if job.call:
        job.call(side, out)
    seconds = time.monotonic() - start
    done.write_text(json.dumps({"seconds": round(seconds, 2)}))
    return seconds


def carry_out_step(step: Step, side: Side, out: Path) -> None:
    argv = [a.replace("{gbt}", str(side.gbt)) for a in step.argv]
    with open(step.stdin or os.devnull, "rb") as stdin, (out / step.out).open("wb") as stdout:
        try:
            p = subprocess.run(argv, stdin=stdin, stdout=stdout, stderr=subprocess.PIPE, cwd=out, env=side.env(), timeout=TIMEOUT)
            said, status = p.stderr, str(p.returncode)
        except subprocess.TimeoutExpired:
            said, status = b"", f"none after {TIMEOUT} s, on {side.digest}"
    (out / (step.out + ".err")).write_bytes(said + f"exit status {status}\n".encode())
