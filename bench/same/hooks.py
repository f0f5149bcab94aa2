"""Puts the calls of episodes to gbt-hook as coding agents' hosts do.

Each call is an event before it runs and, if it ran, one after, with its result;
what the user said comes in between. One session an episode, its state kept in a
folder of its own. All answers count: standard output, standard error, exit status.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from logs import as_it_is, line_of
from run import TIMEOUT, Job, Side

SHELLS = {"bash", "shell", "execute_bash", "terminal", "run_command", "run_shell_command"}
SHARDS = 4  # files of events for a host, so that two can be at work at a time


@dataclass(frozen=True)
class Host:
    """What one host sends: the name of its shell tool, and its events."""

    name: str
    shell: str
    before: Callable[[dict], dict]
    after: Callable[[dict], dict]
    prompt: Callable[[dict], dict] | None = None


def claude_like(c: dict, event: str) -> dict:
    return {"session_id": c["session"], "cwd": c["cwd"], "permission_mode": "default", "hook_event_name": event,
            "tool_name": c["tool"], "tool_input": c["args"], "tool_use_id": c["call"]}


def gemini(c: dict, event: str) -> dict:
    return {"session_id": c["session"], "cwd": c["cwd"], "hook_event_name": event, "tool_name": c["tool"], "tool_input": c["args"]}


def cursor(c: dict, event: str) -> dict:
    base = {"conversation_id": c["session"], "workspace_roots": [c["root"]], "cwd": c["cwd"], "tool_use_id": c["call"]}
    command = c["args"].get("command")
    if c["tool"] == "Shell" and isinstance(command, str):
        return base | {"hook_event_name": f"{event}ShellExecution", "command": command}
    return base | {"hook_event_name": {"before": "preToolUse", "after": "postToolUse"}[event], "tool_name": c["tool"], "tool_input": c["args"]}


def opencode(c: dict, event: str) -> dict:
    return {"event": event, "tool": c["tool"], "args": c["args"], "sessionID": c["session"], "callID": c["call"],
            "directory": c["cwd"], "worktree": c["root"]}


def openhands(c: dict, event: str) -> dict:
    return {"event_type": event, "tool_name": c["tool"], "tool_input": c["args"], "session_id": c["session"], "working_dir": c["cwd"]}


HOSTS = [
    Host("claude-code", "Bash", lambda c: claude_like(c, "PreToolUse"), lambda c: claude_like(c, "PostToolUse") | {"tool_response": c["result"]},
         lambda c: {"session_id": c["session"], "cwd": c["cwd"], "hook_event_name": "UserPromptSubmit", "prompt": c["said"]}),
    Host("codex", "Bash", lambda c: claude_like(c, "PreToolUse"), lambda c: claude_like(c, "PostToolUse") | {"tool_response": c["result"]}),
    Host("cursor", "Shell", lambda c: cursor(c, "before"), lambda c: cursor(c, "after") | {"output": c["result"], "tool_output": c["result"]},
         lambda c: {"conversation_id": c["session"], "hook_event_name": "beforeSubmitPrompt", "prompt": c["said"]}),
    Host("gemini", "run_shell_command", lambda c: gemini(c, "BeforeTool"), lambda c: gemini(c, "AfterTool") | {"tool_response": {"llmContent": c["result"]}},
         lambda c: {"session_id": c["session"], "cwd": c["cwd"], "hook_event_name": "BeforeAgent", "prompt": c["said"]}),
    Host("opencode", "bash", lambda c: opencode(c, "tool.execute.before"), lambda c: opencode(c, "tool.execute.after") | {"output": c["result"]}),
    Host("openhands", "terminal", lambda c: openhands(c, "PreToolUse"), lambda c: openhands(c, "PostToolUse") | {"tool_response": c["result"]},
         lambda c: {"event_type": "UserPromptSubmit", "session_id": c["session"], "working_dir": c["cwd"], "message": c["said"]}),
]


def chosen(episodes: Path, calls: int) -> list[dict]:
    """Whole episodes, those of coding agents first, evenly from all, until there are enough calls."""
    size = {}
    with episodes.open() as f:
        for i, line in enumerate(f):
            e = json.loads(line)
            if e["steps"]:
                size[i] = (e["format"] not in ("claude-code", "codex"), len(e["steps"]))
    picked, total = set(), 0
    for rank in (False, True):
        group = [i for i in size if size[i][0] is rank]
        have = sum(size[i][1] for i in group)
        step = max(1, have // max(1, calls - total))
        for i in [i for k in range(step) for i in group[k::step]]:
            if total >= calls > 0 or calls <= 0 and rank:
                break
            picked.add(i)
            total += size[i][1]
    with episodes.open() as f:
        return [json.loads(line, object_pairs_hook=as_it_is) for i, line in enumerate(f) if i in picked]


def events_of(host: Host, episode: dict) -> Iterator[dict]:
    """The events of one episode: {"id", "when", "event"}."""
    said, steps = episode.get("task", ""), episode["steps"]
    root = next((s["cwd"] for s in steps if s.get("cwd")), "/home/dev/project")
    for n, step in enumerate(steps):
        where = f"{episode['number']}.{n}"
        c = {"session": f"episode-{episode['number']}", "root": root, "cwd": step.get("cwd") or root, "args": step["args"], "call": f"call-{where}",
             "tool": host.shell if step["tool"].lower() in SHELLS else step["tool"], "said": step.get("heard") or said,
             "result": step.get("result", "") + step.get("error", "")}
        if c["said"] and host.prompt:
            yield {"id": where, "when": "after", "event": host.prompt(c)}
        said = ""
        yield {"id": where, "when": "before", "event": host.before(c)}
        if step["status"] != "blocked":
            yield {"id": where, "when": "after", "event": host.after(c)}


def write_events(episodes: list[dict], host: Host, out: Path) -> list[Path]:
    """Writes the events into files that can be worked on side by side."""
    files = [out / f"events-{host.name}-{k}.jsonl" for k in range(SHARDS)]
    for k, path in enumerate(files):
        with path.open("w") as f:
            for episode in episodes[k::SHARDS]:
                f.writelines(line_of(e) for e in events_of(host, episode))
    return [p for p in files if p.stat().st_size]


def hook_job(events: Path, name: str, host: str, flags: list[str]) -> Job:
    return Job("hook", f"{name} {events.stem.rsplit('-', 1)[1]}", call=lambda side, out: ask(side, out, events, host, flags), asked=events)


def ask(side: Side, out: Path, events: Path, host: str, flags: list[str]) -> None:
    """Starts the hook for each event and writes what it answered."""
    state = side.temp / f"state-{out.name}"
    shutil.rmtree(state, ignore_errors=True)
    argv = [str(side.hook), host, "-state", str(state), "-timeout", "60s", *flags]
    with events.open() as f, (out / "answers.jsonl").open("w") as o:
        for line in f:
            e = json.loads(line, object_pairs_hook=as_it_is)
            p = subprocess.run(argv + ["-after"] * (e["when"] == "after"), input=line_of(e["event"]).encode(), capture_output=True,
                               cwd=out, env=side.env(), timeout=TIMEOUT)
            o.write(line_of({"id": e["id"], "when": e["when"], "stdout": p.stdout.decode(errors="replace"),
                             "stderr": p.stderr.decode(errors="replace"), "exit": p.returncode}))
    shutil.rmtree(state, ignore_errors=True)
