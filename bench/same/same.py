"""Compares two builds of gbt on the same calls, commands and logs."""

from __future__ import annotations

import argparse
import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from fnmatch import fnmatch
from pathlib import Path

import jobs
import logs
from compare import Found, compare
from run import Job, Side, carry_out, digest_of

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent.parent / "examples"
PARTS = ("commands", "calls", "distill", "eval", "hook", "live", "policies")
SAME, DIFFERENT, USAGE, INPUT = 0, 1, 2, 5


def arguments() -> argparse.Namespace:
    p = argparse.ArgumentParser(prog="same.sh", description=__doc__)
    p.add_argument("old", type=Path, help="the gbt to hold the other to, with gbt-hook beside it")
    p.add_argument("new", type=Path, help="the gbt to compare, with gbt-hook beside it")
    p.add_argument("logs", nargs="*", type=Path, help="logs, files of commands and of calls (default: the examples)")
    p.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "gbt-same", help="where inputs and the old build's answers are kept")
    p.add_argument("--out", type=Path, help="where the differences go (default: OUT in the cache)")
    p.add_argument("--parts", default=",".join(PARTS), help="of " + ",".join(PARTS))
    p.add_argument("--skip", action="append", default=[], metavar="GLOB", help="leave out jobs, as in 'eval/* gates' (names: PART/NAME in PART.times)")
    p.add_argument("--jobs", type=int, default=2, help="how many jobs run at a time")
    p.add_argument("--hook-calls", type=int, default=1500, help="calls put to gbt-hook, one process each; 0 for all of coding agents")
    p.add_argument("--show", type=int, default=20, help="differences of a part that are written in full")
    return p.parse_args()


def problem(a: argparse.Namespace) -> str:
    """What is wrong with the arguments, or nothing."""
    for gbt in (a.old, a.new):
        for path in (gbt, gbt.parent / "gbt-hook"):
            if not os.access(path, os.X_OK) or path.is_dir():
                return f"{path} is no program that can be run"
    if unknown := [p for p in a.parts.split(",") if p not in PARTS]:
        return f"no part {unknown[0]}; there are {', '.join(PARTS)}"
    if missing := [p for p in a.logs if not p.exists()]:
        return f"{missing[0]} is not there"
    return ""


def key_of(given: logs.Given, *more: object) -> str:
    """Names the inputs by all that they are made of."""
    h = hashlib.sha256(repr([*map(str, given.all()), *more]).encode())
    for path in sorted(HERE.glob("*.py")):
        if path.name not in ("same.py", "compare.py"):
            h.update(path.read_bytes())
    for top in [*given.all(), EXAMPLES]:
        for path in [top] if top.is_file() else sorted(p for p in top.rglob("*") if p.is_file()):
            s = path.stat()
            h.update(f"{path}\0{s.st_size}\0{s.st_mtime_ns}\n".encode())
    return h.hexdigest()[:16]


def part_jobs(inputs: jobs.Inputs, part: str) -> Iterator[Job]:
    made = {
        "commands": lambda: jobs.command_jobs(inputs), "calls": lambda: jobs.call_jobs(inputs), "distill": lambda: jobs.distill_jobs(inputs),
        "eval": lambda: jobs.eval_jobs(inputs), "hook": lambda: jobs.hook_jobs(inputs), "live": lambda: jobs.live_jobs(inputs),
        "policies": lambda: jobs.policy_jobs(inputs, EXAMPLES),
    }
    return made[part]()


def report(part: str, found: Found, seconds: tuple[float, float], out: Path) -> None:
    print(f"{part:9} {found.compared:7} compared, {found.differ:6} differ   (old {seconds[0]:.0f} s, new {seconds[1]:.0f} s of work)", flush=True)
    for fields, n in found.fields.most_common(8):
        print(f"{'':10}{n:7} in {fields}")
    if found.differ:
        (out / f"{part}.txt").write_text("\n".join(found.shown))
        (out / f"{part}.tsv").write_text("\n".join(found.ids) + "\n")
        print(f"{'':10}first ones in {out / part}.txt, all in {out / part}.tsv")


def run_part(part: str, work: list[Job], old: Side, new: Side, a: argparse.Namespace) -> Found:
    with ThreadPoolExecutor(a.jobs) as pool:
        took = [list(pool.map(lambda j, side=side: carry_out(j, side), work)) for side in (old, new)]
    total = Found()
    for job in work:
        total.add(compare(job, old, new, max(0, a.show - len(total.shown))))
    (a.out / f"{part}.times").write_text("".join(f"{x:8.2f} {y:8.2f} {j.name}\n" for j, x, y in zip(work, *took)))
    report(part, total, (sum(took[0]), sum(took[1])), a.out)
    return total


def compare_builds(a: argparse.Namespace) -> int:
    paths = [p.resolve() for p in a.logs] or [EXAMPLES / "logs", EXAMPLES / "calls/commands.jsonl", EXAMPLES / "calls/calls.jsonl"]
    given = logs.sort_out(paths)
    digest = digest_of(a.old)
    key = key_of(given, digest, a.cache, a.hook_calls)
    temp = Path(tempfile.mkdtemp(prefix="gbt-same-"))
    try:
        old = Side(a.old.resolve(), digest, a.cache / "old" / key, temp)
        new = Side(a.new.resolve(), digest_of(a.new), temp / "new", temp)
        inputs = jobs.make_inputs(old, a.cache / "inputs" / key, given, EXAMPLES, a.hook_calls)
        print(f"{inputs.commands} commands; {inputs.calls} calls, {inputs.hook_calls} of them also through gbt-hook; policies: {', '.join(inputs.policies)}")
        return run_all(inputs, old, new, a)
    finally:
        shutil.rmtree(temp, ignore_errors=True)


def run_all(inputs: jobs.Inputs, old: Side, new: Side, a: argparse.Namespace) -> int:
    start, total, empty = time.monotonic(), Found(), []
    if not inputs.calls and not inputs.commands:
        print("same.sh: neither a call nor a command was found in LOGS", file=sys.stderr)
        return INPUT
    for part in a.parts.split(","):
        work = [j for j in part_jobs(inputs, part) if not any(fnmatch(f"{j.part}/{j.name}", g) for g in a.skip)]
        found = run_part(part, work, old, new, a)
        if not found.compared:
            empty.append(part)
        total.add(found)
    print(f"{'all':9} {total.compared:7} compared, {total.differ:6} differ   in {time.monotonic() - start:.0f} s; old {old.digest[:12]}, new {new.digest[:12]}")
    if empty:
        print(f"same.sh: nothing was compared in {', '.join(empty)}", file=sys.stderr)
        return INPUT
    return DIFFERENT if total.differ else SAME


def main() -> int:
    a = arguments()
    if why := problem(a):
        print(f"same.sh: {why}", file=sys.stderr)
        return USAGE
    a.cache = a.cache.resolve()
    a.cache.mkdir(parents=True, exist_ok=True)
    a.out = (a.out or a.cache / "out").resolve()
    shutil.rmtree(a.out, ignore_errors=True)
    a.out.mkdir(parents=True)
    with (a.cache / "lock").open("w") as lock:  # one comparison at a time: they share the cache
        fcntl.flock(lock, fcntl.LOCK_EX)
        return compare_builds(a)


if __name__ == "__main__":
    sys.exit(main())
