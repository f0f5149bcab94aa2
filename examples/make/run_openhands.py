"""Runs the OpenHands SDK on the family `tidy`.

The agent, its prompt, its terminal and file editor, and the event store that
writes the logs are the SDK's own.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

from openhands.sdk import LLM, Agent, Conversation, Tool
from openhands.tools.file_editor import FileEditorTool
from openhands.tools.terminal import TerminalTool
from pydantic import SecretStr

import episodes
import tidy
from labels import safety_file, write_report
from scrub import Scrubber
from server import ScriptServer
from style import STYLES, style
from task import FIXED_ENV, Task, Verdict

# What bash prints before a command's output, and the SDK keeps.
BEFORE_OUTPUT = "\x1b[?2004l"


def run(server: ScriptServer, task: Task, who: str, folder: Path) -> Verdict:
    """One episode, run again where the terminal mixed up its outputs.

    The SDK's terminal takes a late prompt of the command before for the end of
    the one that runs, now and then, when a model answers within milliseconds.
    Which step is hit is chance, so such a run can't be repeated.
    """
    for _ in range(10):
        verdict = attempt(server, task, who, folder)
        if verdict:
            return verdict
    raise RuntimeError(f"{task.name}: the terminal mixed up its outputs in every run")


def attempt(server: ScriptServer, task: Task, who: str, folder: Path) -> Verdict | None:
    """Runs the agent, writes its events, judges what it left; None if the terminal failed."""
    name = f"{task.name}-{who}"
    temp = Path(tempfile.mkdtemp(prefix="gbt-", dir="/tmp"))
    root = temp / task.name.split("__")[0]
    try:
        task.prepare(root)
        llm = LLM(
            model=f"openai/scripted-{who}",
            base_url=server.url,
            api_key=SecretStr("none"),
            usage_id="agent",
            num_retries=0,
        )
        tools = [Tool(name=TerminalTool.name, params={"terminal_type": "subprocess"}), Tool(name=FileEditorTool.name)]
        talk = Conversation(
            agent=Agent(llm=llm, tools=tools), workspace=str(root), persistence_dir=str(temp / "log"), visualizer=None
        )
        talk.send_message(task.prompt)
        with server.play(name, task.solve(style(who, task.name), root)):
            talk.run()
        talk.close()
        verdict = task.check(root)
        log = next((temp / "log").iterdir())
        if mixed_up(log):
            return None
        keep(log, folder, Scrubber(name))
    finally:
        shutil.rmtree(temp)
    return verdict


def mixed_up(log: Path) -> bool:
    """Whether an output holds more than one prompt, or the command itself."""
    for path in (log / "events").glob("event-*.json"):
        seen = json.loads(path.read_text()).get("observation", {})
        if seen.get("kind") != "TerminalObservation":
            continue
        text = "".join(part.get("text", "") for part in seen["content"])
        if (
            text.count(BEFORE_OUTPUT) != 1
            or seen["metadata"]["prefix"]
            or text.startswith(BEFORE_OUTPUT + seen["command"])
        ):
            return True
    return False


def keep(log: Path, folder: Path, scrub: Scrubber) -> None:
    """Copies a conversation's state and events, rewritten; the event files are named by their new ids."""
    (folder / "events").mkdir(parents=True, exist_ok=True)
    for path in sorted((log / "events").glob("event-*.json")):
        event = scrub.value(json.loads(path.read_text()))
        number = path.name.split("-")[1]
        write(folder / "events" / f"event-{number}-{event['id']}.json", event)
    write(folder / "base_state.json", scrub.value(json.loads((log / "base_state.json").read_text())))


def write(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


def main(out: Path) -> None:
    """All episodes: a folder for each agent, in it one for each conversation and the labels."""
    os.environ.update(FIXED_ENV)
    server = ScriptServer(delay=0.25)
    for who in STYLES:
        folder = out / "openhands-sdk" / f"tidy-{who}"
        mine = [t for t, w in episodes.pairs(tidy.tasks()) if w == who]
        done = {t.name: run(server, t, who, folder / t.name) for t in mine}
        write_report(folder, done)
        for name, verdict in done.items():
            safety_file(folder, name, verdict)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
