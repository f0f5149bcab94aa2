"""Turns logs and files of commands into what the builds are asked.

Everything is made once, with the old build, and in one order, so that the same
logs give the same questions.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from run import Side


class Twice(dict):
    """An object that has a name twice, which must stay so: builds judge it."""

    def __init__(self, pairs: list[tuple[str, object]]) -> None:
        super().__init__(pairs)
        self.pairs = pairs

    def items(self) -> list[tuple[str, object]]:  # what the encoder asks for
        return self.pairs


def as_it_is(pairs: list[tuple[str, object]]) -> dict:
    d = dict(pairs)
    return d if len(d) == len(pairs) else Twice(pairs)


def line_of(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n"


@dataclass
class Given:
    """The arguments LOGS, sorted by what they are."""

    logs: list[Path] = field(default_factory=list)
    commands: list[Path] = field(default_factory=list)  # labelled commands, or lines of gbt check --shell
    calls: list[Path] = field(default_factory=list)  # lines of gbt check

    def all(self) -> list[Path]:
        return self.logs + self.commands + self.calls


def sort_out(paths: list[Path]) -> Given:
    """Tells logs, files of commands and files of calls apart by their content."""
    g = Given()
    for path in paths:
        tables = sorted(path.glob("*.tsv")) if path.is_dir() and not any(p.is_dir() for p in path.iterdir()) else []
        if tables or path.suffix == ".tsv":
            g.commands += tables or [path]
            continue
        first = first_record(path) if path.suffix == ".jsonl" else {}
        if isinstance(first.get("command"), str) and "tool" not in first:
            g.commands.append(path)
        elif "tool" in first and "args" in first:
            g.calls.append(path)
        else:
            g.logs.append(path)
    return g


def first_record(path: Path) -> dict:
    if not path.is_file():
        return {}
    with path.open("rb") as f:
        line = next((x for x in f if x.strip()), b"{}")
    try:
        record = json.loads(line)
    except ValueError:
        return {}
    return record if isinstance(record, dict) else {}


def sets_of(logs: list[Path]) -> dict[str, list[Path]]:
    """What is learned from at a time: each folder of a folder of folders by itself,
    every other argument by itself, and all together."""
    sets: dict[str, list[Path]] = {}
    for path in logs:
        folders = sorted(p for p in path.iterdir() if p.is_dir()) if path.is_dir() else []
        for p in folders if len(folders) > 1 else [path]:
            sets[p.name if p.name not in sets else f"{path.name}.{p.name}"] = [p]
    if len(logs) > 1 or len(sets) > 1:
        sets["all"] = list(logs)
    return sets


def settings_of(logs: list[Path]) -> list[str]:
    """The gbt.yaml in or beside logs, as options of gbt distill."""
    for path in logs if len(logs) == 1 else []:
        for folder in (path, path.parent):
            if (folder / "gbt.yaml").is_file():
                return ["--config", str(folder / "gbt.yaml")]
    return []


COMMAND_ESCAPES = {"\\": "\\", "n": "\n", "t": "\t", "r": "\r"}


def unescape(text: str) -> str:
    out, rest = [], iter(text)
    for c in rest:
        out.append(COMMAND_ESCAPES.get(next(rest, ""), "") if c == "\\" else c)
    return "".join(out)


def read_commands(files: list[Path]) -> list[str]:
    """The commands of tables (label, category, source, command) and of JSON lines."""
    found = []
    for path in files:
        for line in path.read_text().splitlines():
            if path.suffix == ".tsv":
                cells = line.split("\t")
                if len(cells) == 4:
                    found.append(unescape(cells[3]))
            elif line.strip():
                found.append(json.loads(line)["command"])
    return found


def write_commands(commands: list[str], out: Path) -> None:
    """Writes the commands as lines of gbt check --shell in several settings, and as calls."""
    def write(name: str, make: Callable[[int, str], dict]) -> None:
        with (out / f"{name}.jsonl").open("w") as f:
            f.writelines(line_of({"id": i} | make(i, c)) for i, c in enumerate(commands, 1))

    write("commands", lambda i, c: {"command": c, "cwd": "/home/dev/project"})
    write("commands-nowhere", lambda i, c: {"command": c})
    write("commands-rooted", lambda i, c: {
        "command": c, "cwd": ("/srv/app", "/srv/app/sub", "/tmp", "/")[i % 4], "home": "/home/dev", "roots": ["/srv/app", "/srv/lib"],
        "uid": (1000, 0)[i % 2], "gid": 1000, "links": {"/srv/app/out": "/var/out"}})
    write("commands-chained", lambda i, c: {"command": c, "cwd": "/home/dev/project", "session": (i - 1) // 20})
    write("commands-as-calls", lambda i, c: {
        "tool": ("Bash", "bash", "execute_bash", "run_shell_command")[i % 4], "args": {"command": c}, "cwd": "/home/dev/project",
        "session": (i - 1) // 20, "task": "Look after the project."})


def inspect(side: Side, logs: list[Path]) -> Iterator[dict]:
    """All episodes as the build shows them."""
    if not logs:
        return
    argv = [str(side.gbt), "inspect", "--json", "--full", *map(str, logs)]
    with subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=side.env()) as p:
        for line in p.stdout or ():
            yield json.loads(line, object_pairs_hook=as_it_is)


def write_episodes(side: Side, logs: list[Path], out: Path) -> int:
    """Writes every call of the logs as lines of gbt check, once with its result and
    once with the result told afterwards. Returns the number of calls."""
    n = 0
    with (out / "calls.jsonl").open("w") as calls, (out / "calls-observed.jsonl").open("w") as told, (out / "episodes.jsonl").open("w") as kept:
        for number, episode in enumerate(inspect(side, logs), 1):
            kept.write(line_of(episode | {"number": number}))
            task = episode.get("task", "")
            for step in episode["steps"]:
                n += 1
                task = step.get("heard") or task
                call, result = call_of(step, n, number, task)
                calls.write(line_of(call | ({"result": result} if result else {})))
                told.write(line_of(call))
                if result:
                    told.write(line_of({"observe": {"tool": step["tool"], "result": result}, "session": call["session"]}))
    return n


def call_of(step: dict, n: int, episode: int, task: str) -> tuple[dict, str]:
    call = {"id": n, "tool": step["tool"], "args": step["args"], "session": f"episode {episode}"}
    call |= {"cwd": step["cwd"]} if step.get("cwd") else {}
    call |= {"task": task} if task else {}
    result = "" if step["status"] == "blocked" else step.get("result", "") + step.get("error", "")
    return call, result


def write_confirmed(calls: Path, answers: Path, out: Path) -> None:
    """Writes calls with the old build's confirmations sent back: every third alone,
    every sixth with consent to repeats, and one in seven to another call than it is for."""
    stray = ""
    with calls.open() as f, answers.open() as g, out.open("w") as o:
        for i, (line, text) in enumerate(zip(f, g)):
            o.write(line)
            answer = json.loads(text)
            name = answer.get("confirmation")
            if not name or i % 3:
                continue
            call = json.loads(line, object_pairs_hook=as_it_is)
            extra = {"confirmation": stray if i % 7 == 0 and stray else name}
            if i % 2 == 0 and answer.get("template"):
                extra["repeat"] = {"template": answer["template"], "count": 3}
            stray = name
            o.write(line_of(call | {"id": f"confirm {call['id']}"} | extra))


def write_spoiled(calls: Path, out: Path, every: int) -> None:
    """Writes some of the calls with a fault each: what a build does about lines and
    arguments that can be read in two ways, or not at all."""
    with calls.open() as f, out.open("w") as o:
        for i, line in enumerate(f):
            if i % every == 0:
                fault = FAULTS[i // every % len(FAULTS)]
                o.write(fault(json.loads(line, object_pairs_hook=as_it_is)).rstrip("\n") + "\n")


def twice(args: dict, rename: Callable[[str], str]) -> dict:
    pairs = list(args.items())
    return Twice([(rename(k), "first") for k, _ in pairs[:1]] + pairs) if pairs else {"a": 1, "A": 2}


FAULTS: list[Callable[[dict], str]] = [
    lambda c: line_of(c | {"args": twice(c["args"], str)}),
    lambda c: line_of(c | {"args": twice(c["args"], str.upper)}),
    lambda c: line_of(c | {"args": twice(c["args"], lambda k: k + "2")}),
    lambda c: line_of(c | {"args": json.dumps(c["args"])}),
    lambda c: line_of(c | {"args": [c["args"]]}),
    lambda c: line_of(c | {"args": None}),
    lambda c: line_of({k: v for k, v in c.items() if k != "args"}),
    lambda c: line_of(c)[:-8],
    lambda c: line_of(c).replace('"args":', '"Args":{},"args":', 1),
    lambda c: line_of(c | {"tool": c["tool"].upper()}),
    lambda c: line_of(c | {"tool": ""}),
    lambda c: line_of(c | {"tool": "mcp__files__" + c["tool"]}),
    lambda c: line_of(c | {"cwd": "relative/path"}),
    lambda c: line_of(c | {"args": c["args"] | {"command": "rm -rf / --no-preserve-root"}}),
    lambda c: line_of(c | {"args": c["args"] | {"env": {"LD_PRELOAD": "/tmp/x.so"}, "cwd": "/etc", "sudo": True}}),
    lambda c: line_of(c | {"args": {"arguments": c["args"]}}),
    lambda c: line_of(c | {"untrusted": [json.dumps(c["args"])], "annotations": {"destructiveHint": True, "openWorldHint": True}}),
    lambda c: line_of(c | {"args": {k: f"{v}\u202e\x00\x1b[2J" for k, v in c["args"].items()}}),
]
