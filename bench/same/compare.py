"""Compares what two builds left behind for one job.

A file of JSON lines is compared answer by answer, any other as a whole. The
bytes decide; fields are only looked at to say in what two answers differ.
"""

from __future__ import annotations

import difflib
import hashlib
import itertools
import json
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from run import Job, Side

SHOWN = 40  # lines of a difference between two whole files


@dataclass
class Found:
    """What was compared, and what differs."""

    compared: int = 0
    differ: int = 0
    fields: Counter[str] = field(default_factory=Counter)
    shown: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)

    def add(self, other: Found) -> None:
        self.compared += other.compared
        self.differ += other.differ
        self.fields += other.fields
        self.shown += other.shown
        self.ids += other.ids


def compare(job: Job, old: Side, new: Side, limit: int) -> Found:
    """Compares all files of a job; limit bounds the differences shown in full."""
    a, b = job.where(old), job.where(new)
    found = Found()
    for name in sorted({p.name for d in (a, b) for p in d.iterdir() if p.is_file() and p.name != ".done"}):
        x, y = a / name, b / name
        if not (x.exists() and y.exists()):
            found.compared += 1
            differs(found, job, name, f"only the {'old' if x.exists() else 'new'} build wrote it", "a file", limit)
        elif name.endswith(".jsonl"):
            compare_lines(found, job, x, y, limit)
        else:
            compare_whole(found, job, x, y, limit)
    return found


def differs(found: Found, job: Job, where: str, text: str, what: str, limit: int) -> None:
    found.differ += 1
    found.fields[what] += 1
    found.ids.append(f"{job.part}\t{job.name}\t{where}\t{what}")
    if len(found.shown) < limit:
        found.shown.append(f"== {job.part}: {job.name}: {where}\n{text}\n")


def compare_whole(found: Found, job: Job, x: Path, y: Path, limit: int) -> None:
    found.compared += 1
    a, b = x.read_bytes(), y.read_bytes()
    if a == b:
        return
    try:
        lines = difflib.unified_diff(a.decode().splitlines(), b.decode().splitlines(), "old", "new", lineterm="", n=1)
        text = "\n".join(itertools.islice(lines, SHOWN))
    except UnicodeDecodeError:
        text = "\n".join(f"{name}: {len(d)} bytes, sha256 {hashlib.sha256(d).hexdigest()}" for name, d in (("old", a), ("new", b)))
    differs(found, job, x.name, text, x.name, limit)


def compare_lines(found: Found, job: Job, x: Path, y: Path, limit: int) -> None:
    a, b = x.read_bytes(), y.read_bytes()
    if a == b:
        found.compared += a.count(b"\n")
        return
    for n, (p, q) in enumerate(itertools.zip_longest(a.splitlines(), b.splitlines()), 1):
        found.compared += 1
        if p == q:
            continue
        question = asked(job, p or q) if len(found.shown) < limit else ""
        text = f"asked {question}\nold   {shown(p)}\nnew   {shown(q)}"
        differs(found, job, f"{x.name}:{n}", text, " ".join(fields_that_differ(p, q)), limit)


def shown(line: bytes | None) -> str:
    return "(no answer)" if line is None else line.decode(errors="replace")


def fields_that_differ(p: bytes | None, q: bytes | None) -> list[str]:
    """The top fields in which two answers differ, for counting."""
    try:
        a, b = json.loads(p or b""), json.loads(q or b"")
    except ValueError:
        return ["unreadable or missing"]
    if not (isinstance(a, dict) and isinstance(b, dict)):
        return ["the whole"]
    return sorted(k for k in a.keys() | b.keys() if a.get(k) != b.get(k)) or ["spelling alone"]


def asked(job: Job, answer: bytes) -> str:
    """The line that an answer is to: the one with the answer's id."""
    try:
        want = b'{"id":%s,' % json.dumps(json.loads(answer)["id"]).encode()
    except (ValueError, TypeError, KeyError):
        return "?"
    if job.asked is None:
        return "?"
    with job.asked.open("rb") as f:
        return next((line.decode(errors="replace").strip() for line in f if line.startswith(want)), "?")
