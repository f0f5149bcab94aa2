"""Which calls a real Claude Code asks its user about at a terminal, without gbt, with its hook, and with --approve. See prompts.sh."""

import argparse
import json
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

from model import Model

KEY = "scripted-scripted-scripted"
MAKEFILE = "test:\n\ttouch made\n"


def sh(command):
    return ("Bash", {"command": command, "description": "a step"})


OPTIONS = [{"label": "Red", "description": "as roses are"}, {"label": "Blue", "description": "as violets are"}]
QUESTION = {"questions": [{"question": "Which colour?", "header": "Colour", "options": OPTIONS, "multiSelect": False}]}
# A name, the call, and in which runs the user should be asked about it.
CASES = (
    ("a build", sh("make test"), {"no hook", "hook"}),
    ("a commit", sh("git add -A && git commit -q -m work"), {"no hook", "hook"}),
    ("a read", sh("git status"), set()),
    ("an edit in the shell", sh("echo x > edited.txt"), {"no hook", "hook", "approve"}),
    ("an edit", ("Write", {"file_path": "{project}/written.txt", "content": "x\n"}), {"no hook", "hook", "approve"}),
    ("a push", sh("git push origin HEAD"), {"no hook", "hook", "approve"}),
    # The question said that a yes to the first one holds for the rest of the session.
    ("a push again", sh("git push origin HEAD"), {"no hook", "hook"}),
    ("a question", ("AskUserQuestion", QUESTION), {"no hook", "hook", "approve"}),
)
PLAN = ("a plan", ("ExitPlanMode", {"plan": "# Plan\n\nNothing."}), {"no hook, plan mode", "approve, plan mode"})
# With a rule of the user's own that wants builds asked about.
RULE = {"permissions": {"ask": ["Bash(make *)"]}}
# What stands on the screen, without blanks, while the user is asked.
DIALOGS = ("Doyouwant", "Wouldyouliketoproceed", "Exitplanmode?", "Whichcolour")
ESCAPES = re.compile(r"\x1b\[[0-9;?>]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[=>()78][AB0]?")


class Terminal:
    """A process on a terminal of its own."""

    def __init__(self, command, cwd, env):
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(cwd)
            os.execvpe(command[0], command, env)
        self.text = ""

    def read(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            if not select.select([self.fd], [], [], left)[0]:
                return
            try:
                self.text += os.read(self.fd, 1 << 16).decode(errors="replace")
            except OSError:
                return

    def screen(self, since):
        return re.sub(r"\s+", "", ESCAPES.sub("", self.text[since:]))

    def press(self, keys):
        os.write(self.fd, keys.encode())

    def close(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.fd)


def asked(call, terminal, model, patience):
    """Whether the user was asked about a call: it waits, with a dialog on the screen, until they say yes."""
    since, end = len(terminal.text), time.monotonic() + patience
    while time.monotonic() < end:
        terminal.read(0.2)
        if model.answered > call:
            return False
    said = terminal.screen(max(0, since - 4000))
    if not any(d in said for d in DIALOGS):
        raise RuntimeError(f"call {call} neither ran nor is asked about:\n{said[-1500:]}")
    terminal.press("\r")  # the first answer is yes
    end = time.monotonic() + 20
    while model.answered <= call and time.monotonic() < end:
        terminal.read(0.2)
    return True


def place(work, env):
    home, project = work / "home", work / "home/src/shop"
    project.mkdir(parents=True)
    (project / "Makefile").write_text(MAKEFILE)
    subprocess.run(["git", "init", "-q", "--bare", str(work / "origin.git")], env=env, check=True)
    for args in (["init", "-q"], ["config", "user.email", "a@b.example"], ["config", "user.name", "a"], ["remote", "add", "origin", str(work / "origin.git")]):
        subprocess.run(["git", "-C", str(project), *args], env=env, check=True)
    trusted = {"hasCompletedOnboarding": True, "theme": "dark", "projects": {str(project): {"hasTrustDialogAccepted": True}}}
    trusted["customApiKeyResponses"] = {"approved": [KEY[-20:]], "rejected": []}
    (home / ".claude.json").write_text(json.dumps(trusted))
    return home, project


def run(args, mode, cases, rule=None):
    """Which of the cases the user was asked about, by name."""
    work = args.work / mode.replace(" ", "-")
    env = {"PATH": f"{args.gbt.parent}:{args.bin}:{os.environ['PATH']}", "HOME": str(work / "home"), "TERM": "xterm", "USER": "user"}
    home, project = place(work, env)
    if rule:
        (home / ".claude").mkdir()
        (home / ".claude/settings.json").write_text(json.dumps(rule))
    if not mode.startswith("no hook"):
        install = [args.gbt, "hook", "install", "claude-code", "--user"] + (["--approve"] if mode.startswith("approve") else [])
        subprocess.run(install, env=env, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    calls = [(tool, json.loads(json.dumps(a).replace("{project}", str(project)))) for _, (tool, a), _ in cases]
    out = {}
    with Model(calls) as model:
        env |= {"ANTHROPIC_BASE_URL": model.url, "ANTHROPIC_API_KEY": KEY, "DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
        terminal = Terminal(["claude", "Tidy up."] + (["--permission-mode", "plan"] if "plan mode" in mode else []), project, env)
        try:
            terminal.read(3)
            for i, (name, _, _) in enumerate(cases):
                out[name] = asked(i, terminal, model, args.patience)
        finally:
            terminal.close()
    shutil.rmtree(work)
    return out


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--bin", type=Path, required=True, help="folder of the agent's program")
    p.add_argument("--gbt", type=Path, required=True, help="the gbt program, with gbt-hook beside it")
    p.add_argument("--work", type=Path, required=True, help="an empty folder")
    p.add_argument("--patience", type=float, default=8, help="seconds after which a call that has not run is asked about (default 8)")
    args = p.parse_args()
    names = [c[0] for c in (*CASES, PLAN)]
    print("| | " + " | ".join(names) + " |\n|---|" + "---|" * len(names))
    bad = False
    ruled = ((CASES[0][0], CASES[0][1], {"approve, but the user's ask rule"}),)
    plan = (PLAN,)
    runs = [(mode, CASES, None) for mode in ("no hook", "hook", "approve")] + [(mode, plan, None) for mode in ("no hook, plan mode", "approve, plan mode")]
    for mode, cases, rule in (*runs, ("approve, but the user's ask rule", ruled, RULE)):
        got = run(args, mode, cases, rule)
        print(f"| {mode} | " + " | ".join({True: "asked", False: "ran", None: ""}[got.get(n)] for n in names) + " |", flush=True)
        wrong = [name for name, _, wanted in cases if got[name] != (mode in wanted)]
        if wrong:
            bad = True
            print(f"{mode}: not as it should be: {', '.join(wrong)}", file=sys.stderr)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
