"""What coding agents do when the hook sends them back at the end of their turn. See ends.sh.

The scripted model changes a file and says that it is done. One that obeys does what it is told then; one that does not says that
it is done again.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from hosts import HOSTS
from model import Model

# Each mode: the check, what the model does when it is told, and what the log must say of the ends.
MODES = {
    "obeys": ("test -f done.txt", "echo yes > done.txt", ["sent_back", "ENDED"]),
    "does not": ("false", None, ["sent_back", "sent_back", "sent_back", "STALL"]),
    "nothing to do": ("test -f b.txt", None, ["ENDED"]),
}
ASKED = "this is no end yet"


def run(name, args, mode):
    """What the decision log says of the ends, and whether the agent ended by itself."""
    host, place = HOSTS[name], args.work / name / mode.replace(" ", "-")
    home, project = place / "home", place / "project"
    for d in (home, project):
        d.mkdir(parents=True)
    path = f"{args.gbt.parent}:{args.bin}:{os.environ['PATH']}"
    env = {"PATH": path, "HOME": str(home), "TERM": "dumb", "USER": os.environ.get("USER", "root")}
    subprocess.run(["git", "init", "-q", str(project)], env=env, check=True)
    check, told, _ = MODES[mode]
    install = [args.gbt, "hook", "install", name, "--dir", project, "--hook", args.gbt.parent / "gbt-hook", "--check", check]
    subprocess.run(install, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    calls = [host.shell("echo hello > b.txt")] + ([host.shell(told)] if told else [])
    ended = True
    with Model(calls, (1, ASKED)) as model, open(place / "out", "w") as out:
        host.prepare(home, project, model.url)
        env |= host.environment(model.url)
        try:
            subprocess.run(host.command, cwd=project, env=env, stdin=subprocess.DEVNULL, stdout=out, stderr=out, timeout=args.timeout, check=False)
        except subprocess.TimeoutExpired:
            ended = False
    log = home / ".local/state/gbt/log/decisions.jsonl"
    lines = log.read_text().splitlines() if log.exists() else []
    return [e["end"] for e in map(json.loads, lines) if "end" in e], ended


def main():
    able = [h for h in HOSTS if h != "opencode"]
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("hosts", nargs="*", metavar="HOST", help="one of " + ", ".join(able) + "; default: all")
    p.add_argument("--bin", type=Path, required=True, help="folder of the agents' programs")
    p.add_argument("--gbt", type=Path, required=True, help="the gbt program, with gbt-hook beside it")
    p.add_argument("--work", type=Path, required=True, help="an empty folder")
    p.add_argument("--timeout", type=int, default=200, help="seconds for one run of an agent (default 200)")
    args = p.parse_args()
    bad = False
    print("| host | the model | ends |\n|---|---|---|")
    for name in args.hosts or able:
        for mode, (_, _, wanted) in MODES.items():
            ends, ended = run(name, args, mode)
            print(f"| {HOSTS[name].title} | {mode} | {', '.join(ends)}{'' if ended else ' (it did not end)'} |", flush=True)
            if ends != wanted or not ended:
                bad = True
                print((args.work / name / mode.replace(" ", "-") / "out").read_text()[-1500:], file=sys.stderr)
        shutil.rmtree(args.work / name)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
