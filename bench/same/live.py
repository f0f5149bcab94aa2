"""Puts whole runs to gbt serve --stdio: what an agent proposes, calls and sees.

The clock of the server is set by the requests, so that time decides nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from logs import as_it_is, line_of

USED = 10_000  # seconds a step claims, far more than passes here


def requests_of(episode: dict) -> Iterator[tuple[str, dict]]:
    session = f"episode-{episode['number']}"
    root = next((s["cwd"] for s in episode["steps"] if s.get("cwd")), "/home/dev/project")
    limits = {"wall_seconds": 1 << 40}
    yield "startSession", {"task": {"id": session, "text": episode.get("task", ""), "limits": limits}, "env": {"cwd": root}}
    for n, step in enumerate(episode["steps"], 1):
        used = {"used": {"seconds": USED * n}}
        if step.get("text"):
            yield "propose", {"session": session, "text": step["text"], **used}
        else:
            yield "propose", {"session": session, "tool": step["tool"], "args": step["args"], **used}
        call = {"tool": step["tool"], "args": step["args"], **used}
        yield "check", {"session": session, "call": call}
        result = {"output": step.get("result", ""), "error": step.get("error", ""), "blocked": step["status"] == "blocked", **used}
        yield "observe", {"session": session, "call": call, "result": result}
    yield "finish", {"session": session}
    yield "deleteSession", {"session": session}


def write_requests(episodes: Path, out: Path) -> None:
    n = 0
    with episodes.open() as f, out.open("w") as o:
        for line in f:
            episode = json.loads(line, object_pairs_hook=as_it_is)
            for method, params in requests_of(episode) if episode["steps"] else ():
                n += 1
                o.write(line_of({"id": n, "jsonrpc": "2.0", "method": method, "params": params}))
