"""Checks the example logs: check.py LOGS [AGAIN].

Counts what is in LOGS from the files and the labels beside them, prints a
table, and fails where the mix is not what the logs promise. With AGAIN, a
folder with the logs made once more, it also compares every byte.
"""

from __future__ import annotations

import json
import re
import sys
import zipfile
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scrub import machine_names

LEFTOVER = re.compile(rb"/tmp/gbt-|/root/|/home/|\.pyenv|site-packages/(?!inspect_ai/tool)")


@dataclass(frozen=True)
class Row:
    """One episode as the labels tell."""

    family: str
    agent: str
    style: str
    task: str
    success: bool
    unsafe: bool | None


def mini(logs: Path) -> Iterator[Row]:
    for folder in sorted((logs / "mini-swe-agent").iterdir()):
        family, style = folder.name.split("-")
        report = json.loads((folder / "report.json").read_text())
        for path in sorted(folder.glob("*.traj.json")):
            name = json.loads(path.read_text())["instance_id"]
            yield Row(family, "mini-swe-agent", style, name, outcome(report, name), None)


def outcome(report: dict[str, list[str]], name: str) -> bool:
    """Every run has to be in exactly one of the lists."""
    good, bad = name in report["resolved_ids"], name in report["unresolved_ids"]
    if good == bad:
        raise SystemExit(f"the report does not speak of {name}")
    return good


def openhands(logs: Path) -> Iterator[Row]:
    for folder in sorted((logs / "openhands-sdk").iterdir()):
        family, style = folder.name.split("-")
        report = json.loads((folder / "report.json").read_text())
        for talk in sorted(p for p in folder.iterdir() if p.is_dir()):
            if not any((talk / "events").glob("event-*.json")) or not (talk / "base_state.json").is_file():
                raise SystemExit(f"{talk} is not a conversation")
            safety = folder / f"eval_{talk.name}.json"
            unsafe = json.loads(safety.read_text())["final_score"]["result"] == 1 if safety.is_file() else None
            yield Row(family, "openhands-sdk", style, talk.name, outcome(report, talk.name), unsafe)


def inspect(logs: Path) -> Iterator[Row]:
    for path in sorted((logs / "inspect").iterdir()):
        style = path.stem.split("-")[-1]
        if path.suffix == ".eval":
            with zipfile.ZipFile(path) as z:
                samples = [json.loads(z.read(n)) for n in sorted(z.namelist()) if n.startswith("samples/")]
        else:
            samples = json.loads(path.read_text())["samples"]
        for s in samples:
            yield Row("tables", f"inspect {path.suffix}", style, s["id"], s["scores"]["checked"]["value"] == "C", None)


def langgraph(logs: Path) -> Iterator[Row]:
    for path in sorted((logs / "langgraph").glob("office-*.jsonl")):
        for line in path.read_text().splitlines():
            m = json.loads(line)["metadata"]
            task = "/".join(str(m[k]) for k in ("suite_name", "user_task_id", "injection_task_id"))
            unsafe = m["security"] if m["injection_task_id"] else None
            yield Row("office", "langgraph jsonl", m["model"].removeprefix("scripted-"), task, m["success"], unsafe)
    for path in sorted((logs / "langgraph").glob("support-*.json")):
        for r in json.loads(path.read_text()):
            yield Row("support", "langgraph json", path.stem.split("-")[1], str(r["task_id"]), r["reward"] == 1.0, None)


def table(rows: list[Row]) -> str:
    """Counts by family, agent and style."""
    out = [f"{'family':9}{'logs of':17}{'agent':9}{'episodes':>9}{'success':>9}{'failure':>9}{'safe':>6}{'unsafe':>8}"]
    for key in sorted({(r.family, r.agent, r.style) for r in rows}):
        mine = [r for r in rows if (r.family, r.agent, r.style) == key]
        out.append(f"{key[0]:9}{key[1]:17}{key[2]:9}{counts(mine)}")
    return "\n".join([*out, f"{'all':35}{counts(rows)}"])


def counts(rows: list[Row]) -> str:
    good = sum(r.success for r in rows)
    safe, unsafe = sum(r.unsafe is False for r in rows), sum(r.unsafe is True for r in rows)
    return f"{len(rows):9}{good:9}{len(rows) - good:9}{safe:6}{unsafe:8}"


def promises(rows: list[Row], logs: Path) -> list[str]:
    """What is wrong with the mix, in sentences."""
    families = Counter(r.family for r in rows)
    tasks = {f: len({r.task for r in rows if r.family == f}) for f in families}
    failed = sum(not r.success for r in rows) / len(rows)
    unsafe = sum(r.unsafe is True for r in rows) / len(rows)
    size = sum(p.stat().st_size for p in logs.rglob("*") if p.is_file())
    found = [
        (len(rows) >= 120, f"only {len(rows)} episodes"),
        (len(families) >= 5, f"only {len(families)} families"),
        (min(tasks.values()) >= 12, f"a family has fewer than 12 tasks: {tasks}"),
        (0.2 <= failed <= 0.3, f"{failed:.1%} of the episodes failed, not 20 to 30%"),
        (0.1 <= unsafe <= 0.15, f"{unsafe:.1%} of the episodes are unsafe, not 10 to 15%"),
        (size < 6_000_000, f"{size} bytes are too many"),
    ]
    return [words for good, words in found if not good]


def leftovers(logs: Path) -> list[str]:
    """Traces of the machine that made the logs."""
    names = [n.encode() for n in machine_names()]
    out = []
    for path in sorted(p for p in logs.rglob("*") if p.is_file() and p.name != "README.md"):
        data = path.read_bytes()
        if (hit := LEFTOVER.search(data)) or any(n in data for n in names):
            out.append(f"{path.relative_to(logs)}: {hit.group().decode() if hit else 'a name of this machine'}")
    return out


def differences(a: Path, b: Path) -> list[str]:
    """Files that differ between two sets of logs."""

    def files(root: Path) -> set[Path]:
        return {p.relative_to(root) for p in root.rglob("*") if p.is_file() and p.name != "README.md"}

    return [str(p) for p in sorted(files(a) | files(b)) if not same(a / p, b / p)]


def same(a: Path, b: Path) -> bool:
    return a.is_file() and b.is_file() and a.read_bytes() == b.read_bytes()


def main(logs: Path, again: Path | None) -> int:
    rows = [*mini(logs), *openhands(logs), *inspect(logs), *langgraph(logs)]
    print(table(rows))
    wrong = promises(rows, logs) + [f"not rewritten: {x}" for x in leftovers(logs)]
    if again:
        wrong += [f"differs when made again: {x}" for x in differences(logs, again)]
    for words in wrong:
        print(f"check: {words}", file=sys.stderr)
    if again and not wrong:
        print("made again: every byte is the same")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), Path(sys.argv[2]) if len(sys.argv) > 2 else None))
