"""Sessions of daily work in the real agents, and how often the real hook would have asked in each. See sessions.sh.

The model is scripted (daily.py) and simulated; agents, hook, git and toolchains are real. The hook runs in the profile observe: it
stops nothing and its decision log says what it would have done. The logs that the agents leave are kept with --keep.
"""

import argparse
import collections
import itertools
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from daily import FLOWS, PROJECTS
from hosts import HOSTS
from model import Model

# Where an agent keeps its sessions, below its home.
KEPT = {
    "claude-code": ".claude/projects", "codex": ".codex/sessions", "copilot": ".copilot/session-state", "droid": ".factory/sessions", "gemini": ".gemini/tmp",
    "opencode": ".local/share/opencode",
}
GIT = {"GIT_AUTHOR_NAME": "dev", "GIT_AUTHOR_EMAIL": "dev@localhost", "GIT_COMMITTER_NAME": "dev", "GIT_COMMITTER_EMAIL": "dev@localhost"}
TOOLS = {
    "claude-code": {
        "sh": lambda c: ("Bash", {"command": c, "description": "a step"}),
        "write": lambda p, t: ("Write", {"file_path": p, "content": t}),
        "edit": lambda p, o, n: ("Edit", {"file_path": p, "old_string": o, "new_string": n}),
        "read": lambda p: ("Read", {"file_path": p}),
    },
    "copilot": {
        "sh": lambda c: ("bash", {"command": c, "description": "a step"}),
        "write": lambda p, t: ("create", {"path": p, "file_text": t}),
        "edit": lambda p, o, n: ("edit", {"path": p, "old_str": o, "new_str": n}),
        "read": lambda p: ("view", {"path": p}),
    },
    "droid": {
        "sh": lambda c: ("Execute", {"command": c, "summary": "a step"}),
        "write": lambda p, t: ("Create", {"file_path": p, "content": t}),
        "edit": lambda p, o, n: ("Edit", {"file_path": p, "old_str": o, "new_str": n}),
        "read": lambda p: ("Read", {"file_path": p}),
    },
    "gemini": {
        "sh": lambda c: ("run_shell_command", {"command": c, "description": "a step"}),
        "write": lambda p, t: ("write_file", {"file_path": p, "content": t}),
        "edit": lambda p, o, n: ("replace", {"file_path": p, "old_string": o, "new_string": n, "instruction": "a step"}),
        "read": lambda p: ("read_file", {"file_path": p}),
    },
    "opencode": {
        "sh": lambda c: ("bash", {"command": c, "description": "a step"}),
        "write": lambda p, t: ("write", {"filePath": p, "content": t}),
        "edit": lambda p, o, n: ("edit", {"filePath": p, "oldString": o, "newString": n}),
        "read": lambda p: ("read", {"filePath": p}),
    },
    # Codex has a shell and its patches, which it takes from the shell as well.
    "codex": {
        "sh": lambda c: ("exec_command", {"cmd": c}),
        "write": lambda p, t: ("exec_command", {"cmd": f"cat > '{p}' <<'EOF'\n{t}EOF"}),
        "edit": lambda p, o, n: ("exec_command", {"cmd": f"sed -i 's|{o}|{n}|' '{p}'"}),
        "read": lambda p: ("exec_command", {"cmd": f"sed -n '1,200p' '{p}'"}),
    },
}


def prepare(place, kind, env):
    """A clone of a project with its bare remote beside it."""
    project, remote = place / "project", place / "remote.git"
    for name, text in PROJECTS[kind]["files"].items():
        file = project / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def git(*words):
        subprocess.run(["git", "-C", project, *words], env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", remote], env=env, check=True)
    git("init", "-q", "-b", "main")
    git("add", "-A")
    git("commit", "-q", "-m", "Begin")
    git("remote", "add", "origin", str(remote))
    git("push", "-q", "-u", "origin", "main")
    return project


def run(name, kind, flow, args):
    """One session; returns what the hook's log says of its calls."""
    place = args.work / f"{name}-{kind}-{flow}"
    home = place / "home"
    home.mkdir(parents=True)
    log = place / "decisions.jsonl"
    env = {"PATH": f"{args.gbt.parent}:{args.bin}:{os.environ['PATH']}", "HOME": str(home), "TERM": "dumb", "USER": os.environ.get("USER", "root"), **GIT}
    for name_of in ("CARGO_HOME", "RUSTUP_HOME", "GOROOT", "GOCACHE", "GOPROXY", "JAVA_HOME"):
        if name_of in os.environ:
            env[name_of] = os.environ[name_of]
    project = prepare(place, kind, env)
    subprocess.run(
        [args.gbt, "hook", "install", name, "--user", "--hook", args.gbt.parent / "gbt-hook", "--profile", "observe", "--log", log],
        env=env, check=True, cwd=project, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    host, tools = HOSTS[name], TOOLS[name]
    steps = [tools[k](*([str(project / rest[0]), *rest[1:]] if k != "sh" else rest)) for k, *rest in FLOWS[flow](PROJECTS[kind])]
    with Model(steps) as model, open(place / "out", "w") as out:
        for folder in (".codex", ".gemini"):
            shutil.move(home / folder, place / folder) if (home / folder).exists() else None
        host.prepare(home, project, model.url)
        for folder in (".codex", ".gemini"):  # what install wrote beside what prepare writes
            if (place / folder).exists():
                merge(place / folder, home / folder)
        env |= host.environment(model.url)
        try:
            subprocess.run(host.command, cwd=project, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=args.timeout, check=False)
        except subprocess.TimeoutExpired:
            print(f"{place.name}: no end within {args.timeout} s", file=sys.stderr)
    keep(name, home, args.keep, place.name)
    calls = [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []
    if len(calls) < len(steps):
        print(f"{place.name}: the hook saw {len(calls)} of {len(steps)} calls", file=sys.stderr)
    return calls


def merge(source, target):
    target.mkdir(exist_ok=True)
    for file in source.iterdir():
        other = target / file.name
        if other.exists() and file.suffix == ".json":
            other.write_text(json.dumps(json.loads(file.read_text()) | json.loads(other.read_text())))
        elif not other.exists():
            shutil.move(file, other)


def keep(name, home, target, session):
    source = home / KEPT[name]
    if target and source.exists():
        shutil.copytree(source, target / name / session, dirs_exist_ok=True)


def verdicts(calls):
    """What the hook would have said, without events that only note."""
    return [c.get("would") or c["disposition"] for c in calls]


def row(name, sessions):
    per = [collections.Counter(verdicts(c)) for c in sessions]
    asked = [p["approved_with_constraints"] for p in per]
    stopped = [p["rejected"] + p["revision_required"] for p in per]
    n = len(sessions)
    alone = sum(a + s == 0 for a, s in zip(asked, stopped)) / n
    over = sum(a > 5 for a in asked) / n
    return f"| {name} | {n} | {sum(map(len, sessions))} | {sum(asked)} | {sum(asked) / n:.2f} | {sum(stopped)} | {alone:.0%} | {over:.0%} |"


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("hosts", nargs="*", metavar="HOST", help="one of " + ", ".join(TOOLS) + "; default: all")
    p.add_argument("--bin", type=Path, required=True, help="folder of the agents' programs")
    p.add_argument("--gbt", type=Path, required=True, help="the gbt program, with gbt-hook beside it")
    p.add_argument("--work", type=Path, required=True, help="an empty folder, not below /tmp")
    p.add_argument("--keep", type=Path, help="copy the logs that the agents leave to this folder")
    p.add_argument("--timeout", type=int, default=180, help="seconds for one session (default 180)")
    args = p.parse_args()
    names = args.hosts or sorted(TOOLS)
    if unknown := [h for h in names if h not in TOOLS]:
        p.error("no such host: " + ", ".join(unknown))
    # Every kind of work in every language once, and the agents in turn.
    found, rules = collections.defaultdict(list), collections.Counter()
    for (flow, kind), name in zip(itertools.product(FLOWS, PROJECTS), itertools.cycle(names)):
        calls = run(name, kind, flow, args)
        found[name].append(calls)
        for c, v in zip(calls, verdicts(calls)):
            if v != "approved":
                rules[v, ", ".join(c.get("rules", []))] += 1
                print(f"{name} {kind} {flow}: {v} {c.get('rules')}", file=sys.stderr, flush=True)
        shutil.rmtree(args.work / f"{name}-{kind}-{flow}")
    print("| host | sessions | calls | asked | asked a session | stopped | left alone | over five |\n|---|---|---|---|---|---|---|---|")
    for name in names:
        if found[name]:
            print(row(name, found[name]))
    print(row("all", [s for list_ in found.values() for s in list_]))
    for (verdict, which), n in rules.most_common():
        print(f"{n:4} {verdict} {which}")


if __name__ == "__main__":
    main()
