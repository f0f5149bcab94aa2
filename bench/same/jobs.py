"""The parts of a comparison: what both builds are made to do."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import hooks
import live
import logs
from run import Job, Side, Step

EXPLAINED = 400  # questions put to gbt explain, one process each
SPOILED = 10  # every so many calls is asked with a fault as well


@dataclass(frozen=True)
class Inputs:
    """What all builds are asked: made once, by the old build."""

    folder: Path
    given: logs.Given
    sets: dict[str, list[Path]]
    policies: dict[str, Path]
    commands: int
    calls: int
    hook_calls: int


def run_old(side: Side, *args: str | Path, cwd: Path) -> str:
    argv = [str(side.gbt), *map(str, args)]
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=cwd, env=side.env(), text=True, check=False).stdout


def make_inputs(side: Side, folder: Path, given: logs.Given, examples: Path, hook_calls: int) -> Inputs:
    """Makes the inputs, or finds them made."""
    about = folder / "about.json"
    if not about.exists():
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "policies").mkdir(parents=True)
        commands = logs.read_commands(given.commands)
        logs.write_commands(commands, folder)
        calls = logs.write_episodes(side, given.logs, folder)
        make_policies(side, folder / "policies", given, examples)
        make_variants(side, folder)
        hook = write_hook_events(folder, hook_calls)
        about.write_text(json.dumps({"commands": len(commands), "calls": calls, "hook_calls": hook}))
    facts = json.loads(about.read_text())
    policies = {p.stem: p for p in sorted((folder / "policies").glob("*.gbt"))}
    return Inputs(folder, given, logs.sets_of(given.logs), policies, **facts)


def make_policies(side: Side, folder: Path, given: logs.Given, examples: Path) -> None:
    """A policy of the example logs, of every set that teaches a gate, and of all; each under its set's name."""
    wanted = {"examples": [examples / "logs"]} | logs.sets_of(given.logs)
    for name, paths in wanted.items():
        run_old(side, "distill", *paths, *logs.settings_of(paths), "-q", "-o", f"{name}.gbt", cwd=folder)
        taught = run_old(side, "gates", "list", "--json", f"{name}.gbt", cwd=folder).count("\n")
        if name not in ("examples", "all") and not taught:
            for path in folder.glob(f"{name}.*"):
                path.unlink()
    run_old(side, "keygen", "-o", "key", cwd=folder)


def make_variants(side: Side, folder: Path) -> None:
    """The calls once more: confirmed where the old build asks, and with faults."""
    policy = folder / "policies" / "examples.gbt"
    with (folder / "calls.jsonl").open() as f, (folder / "answers").open("w") as o:
        subprocess.run([str(side.gbt), "check", "--policy", str(policy)], stdin=f, stdout=o, stderr=subprocess.DEVNULL, env=side.env(), check=False)
    logs.write_confirmed(folder / "calls.jsonl", folder / "answers", folder / "calls-confirmed.jsonl")
    (folder / "answers").unlink()
    logs.write_spoiled(folder / "calls.jsonl", folder / "calls-spoiled.jsonl", SPOILED)
    live.write_requests(folder / "episodes.jsonl", folder / "requests.jsonl")


def write_hook_events(folder: Path, calls: int) -> int:
    few = max(1, calls // 10) if calls else 500
    episodes = hooks.chosen(folder / "episodes.jsonl", calls)
    for host in hooks.HOSTS:
        hooks.write_events(episodes if host.name == "claude-code" else hooks.chosen(folder / "episodes.jsonl", few), host, folder)
    return sum(len(e["steps"]) for e in episodes)


def check(part: str, name: str, asked: Path, *options: str | Path) -> Job:
    argv = ["{gbt}", "check", *map(str, options)]
    return Job(part, name, [Step("answers.jsonl", argv, asked)], asked=asked)


def command_jobs(i: Inputs) -> Iterator[Job]:
    """Every command, in several settings."""
    part, plain = "commands", i.folder / "commands.jsonl"
    yield check(part, "default", plain, "--shell")
    for profile in ("strict", "apps", "observe"):
        yield check(part, f"profile {profile}", plain, "--shell", "--profile", profile)
    yield check(part, "without a directory", i.folder / "commands-nowhere.jsonl", "--shell")
    yield check(part, "root and home", i.folder / "commands-nowhere.jsonl", "--shell", "--root", "/home/dev/project", "--home", "/home/dev")
    yield check(part, "roots, links and users", i.folder / "commands-rooted.jsonl", "--shell")
    yield check(part, "sessions of 20", i.folder / "commands-chained.jsonl", "--shell")
    yield check(part, "sessions of 20, strict", i.folder / "commands-chained.jsonl", "--shell", "--profile", "strict")
    yield check(part, "as calls", i.folder / "commands-as-calls.jsonl")
    for name, policy in i.policies.items():
        yield check(part, f"policy {name}", i.folder / "commands-chained.jsonl", "--shell", "--policy", policy, "--strict")
    yield explain_job(part, plain, "--shell")


def call_jobs(i: Inputs) -> Iterator[Job]:
    """Every call of the logs, an episode's in one session, without and under policies."""
    part, calls = "calls", i.folder / "calls.jsonl"
    for path in i.given.calls:
        yield check(part, f"as given in {path.name}", path)
    yield check(part, "default", calls)
    yield check(part, "profile apps", calls, "--profile", "apps")
    yield check(part, "profile strict", calls, "--profile", "strict")
    yield check(part, "results told afterwards", i.folder / "calls-observed.jsonl", "--content", "secrets")
    for name, policy in i.policies.items():
        yield check(part, f"policy {name}", calls, "--policy", policy)
        yield check(part, f"policy {name}, strict", calls, "--policy", policy, "--strict")
    yield check(part, "confirmed", i.folder / "calls-confirmed.jsonl", "--policy", i.policies["examples"])
    yield check(part, "spoiled", i.folder / "calls-spoiled.jsonl")
    yield check(part, "spoiled, policy, strict", i.folder / "calls-spoiled.jsonl", "--policy", i.policies["examples"], "--strict")
    yield explain_job(part, calls, "--policy", str(i.policies["examples"]))


def explain_job(part: str, asked: Path, *options: str) -> Job:
    """A sample of the questions, one process of gbt explain each, as text and as JSON in turn."""
    def explain(side: Side, out: Path) -> None:
        lines = asked.read_text().splitlines(keepends=True)
        options_now = [o for o in options if o != "--shell"]
        with (out / "answers.jsonl").open("w") as o:
            for n, line in enumerate(lines[:: max(1, len(lines) // EXPLAINED)]):
                q = json.loads(line, object_pairs_hook=logs.as_it_is)
                q = q if "tool" in q else {"id": q["id"], "tool": "Bash", "args": {"command": q["command"]}, "cwd": q["cwd"]}
                argv = [str(side.gbt), "explain", *options_now, *["--json"] * (n % 2)]
                p = subprocess.run(argv, input=logs.line_of(q), capture_output=True, text=True, cwd=out, env=side.env(), check=False)
                o.write(logs.line_of({"id": q["id"], "stdout": p.stdout, "stderr": p.stderr, "exit": p.returncode}))
    return Job(part, "explain", call=explain, asked=asked)


def distill_jobs(i: Inputs) -> Iterator[Job]:
    """What is learned from each set, to the byte, and what is said of it."""
    for name, paths in i.sets.items():
        at = [str(p) for p in paths]
        settings = logs.settings_of(paths)
        learn = ["{gbt}", "distill", *at, *settings, "-q", "--json"]
        yield Job("distill", name, [
            Step("import", ["{gbt}", "import", *at, "-q", "--json", "-o", "episodes.parquet"]),
            Step("distill", [*learn, "-o", "policy.gbt", "--report", "report.md"]),
            Step("reference", [*learn, "-o", "reference.gbt", "--report", "reference.md", "--profile", "reference"]),
            Step("show", ["{gbt}", "show", "--stats", "policy.gbt"]),
            Step("gates", ["{gbt}", "gates", "list", "--json", "policy.gbt"]),
        ])


def eval_jobs(i: Inputs) -> Iterator[Job]:
    """The figures of cross-validation, and the windows."""
    for name, paths in i.sets.items():
        at, settings = [str(p) for p in paths], logs.settings_of(paths)
        yield Job("eval", name, [
            Step("coverage", ["{gbt}", "eval", "coverage", "--cv", "-q", "--json", *settings, *at]),
            Step("traverse", ["{gbt}", "eval", "traverse", "--cv", "--json", *settings, *at]),
            Step("windows", ["{gbt}", "windows", "show", "--json", "--every", "--full", *at]),
            Step("stats", ["{gbt}", "windows", "stats", "--json", *at]),
        ])
        if name != "all" or len(i.sets) < 3:
            yield Job("eval", f"{name} gates", [
                Step(f"gates-{by}", ["{gbt}", "eval", "gates", "--cv", "--json", "--by", by, *settings, *at]) for by in ("instance", "structure")])


def hook_jobs(i: Inputs) -> Iterator[Job]:
    """The calls as hosts ask about them."""
    for host in hooks.HOSTS:
        for events in sorted(i.folder.glob(f"events-{host.name}-?.jsonl")):
            yield hooks.hook_job(events, host.name, host.name, [])
            if host.name == "claude-code":
                yield hooks.hook_job(events, f"{host.name} policy", host.name, ["-policy", str(i.policies["examples"])])
                yield hooks.hook_job(events, f"{host.name} strict", host.name, ["-profile", "strict"])


def live_jobs(i: Inputs) -> Iterator[Job]:
    """Whole runs through the server: proposals, calls, results, and what the traverser says."""
    for name, policy in i.policies.items():
        argv = ["{gbt}", "serve", "--stdio", "--policy", str(policy)]
        yield Job("live", name, [Step("answers.jsonl", argv, i.folder / "requests.jsonl")], asked=i.folder / "requests.jsonl")


def policy_jobs(i: Inputs, examples: Path) -> Iterator[Job]:
    """What is printed about policies that the old build made."""
    key = i.folder / "policies" / "key"
    for name, policy in i.policies.items():
        p, other = str(policy), str(i.policies["examples"])
        yield Job("policies", name, [Step(out, ["{gbt}", *argv]) for out, argv in {
            "show": ["show", p], "stats": ["show", "--stats", p], "json": ["show", "--json", "--stats", p], "page": ["show", "--html", "-", p],
            "gates": ["gates", "list", p], "gates-json": ["gates", "list", "--json", p], "verify": ["verify", p], "verify-json": ["verify", "--json", p],
            "diff": ["diff", other, p], "diff-json": ["diff", "--json", other, p], "audit": ["gates", "audit", p, "--against", p, "--mutations", "2000"],
            "windows": ["windows", "show", str(examples / "logs"), "--policy", p], "sign": ["sign", p, "--key", f"{key}.pem", "-o", "signed.gbt"],
            "signed": ["verify", "signed.gbt", "--trust", f"{key}.pub"],
            "coverage": ["eval", "coverage", p, str(examples / "logs"), "--json", "--allow-leak", "-q"],
            "traverse": ["eval", "traverse", p, str(examples / "logs"), "--json", "--allow-leak"],
            "successor": ["distill", str(examples / "logs"), "--config", str(examples / "gbt.yaml"), "--parent", p, "-o", "successor.gbt", "-q"],
        }.items()])
