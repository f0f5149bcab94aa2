"""openhands-sdk's own conversation, agent and tool classes; only the model is simulated: the SDK's TestLLM plays a script.

test-openhands.sh runs this: the SDK needs Python 3.12 and takes minutes to install.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from openhands.sdk import Agent, Tool, register_tool
from openhands.sdk.event import AgentErrorEvent, ObservationEvent, UserRejectObservation
from openhands.sdk.llm import Message, MessageToolCall, TextContent
from openhands.sdk.testing import TestLLM
from openhands.sdk.tool import Action, Observation, ToolDefinition, ToolExecutor
from test_readme import EXAMPLES

from gbt_policy import Client, Guard, Server
from gbt_policy.openhands import ONE_AT_A_TIME, Watch, guarded_conversation

TASK = "Fix the failing unit test in this package"


class ShellAction(Action):
    command: str


class ShellObservation(Observation):
    pass


class ShellExecutor(ToolExecutor[ShellAction, ShellObservation]):
    def __init__(self, folder: str) -> None:
        self.folder = folder

    def __call__(self, action: ShellAction, conversation: Any = None) -> ShellObservation:
        if "broken" in action.command:
            raise ValueError("broken tool")
        done = subprocess.run(["bash", "-c", action.command], cwd=self.folder, capture_output=True, text=True, timeout=10)
        seen: ShellObservation = ShellObservation.from_text(done.stdout, is_error=done.returncode != 0)
        return seen


class TerminalTool(ToolDefinition[ShellAction, ShellObservation]):
    @classmethod
    def create(cls, conv_state: Any = None, **params: Any) -> Sequence[TerminalTool]:
        executor = ShellExecutor(conv_state.workspace.working_dir)
        return [cls(description="Runs a shell command.", action_type=ShellAction, observation_type=ShellObservation, executor=executor)]


register_tool("TerminalTool", TerminalTool)


class Script(TestLLM):
    """The SDK's scripted model, which also notes what it was shown."""

    def completion(self, messages: list[Message], *args: Any, **kwargs: Any) -> Any:
        SHOWN.append("\n".join(c.text for m in messages for c in m.content if isinstance(c, TextContent)))
        return super().completion(messages, *args, **kwargs)


SHOWN: list[str] = []


def say(*commands: str) -> Message:
    calls = [
        MessageToolCall(id=f"c{abs(hash((commands, i)))}", name="terminal", arguments=json.dumps({"command": c}), origin="completion")
        for i, c in enumerate(commands)
    ]
    return Message(role="assistant", content=[TextContent(text="Next.")], tool_calls=calls)


def play(guard: Guard, workspace: Path, *script: Message) -> Any:
    """The conversation after the script was played under guard."""
    SHOWN.clear()
    llm = Script.from_messages([*script, Message(role="assistant", content=[TextContent(text="Done.")])])
    agent = Agent(llm=llm, tools=[Tool(name="TerminalTool")])
    talk = guarded_conversation(agent, guard, workspace=str(workspace), visualizer=None)
    talk.send_message(TASK)
    talk.run()
    return talk


def results(talk: Any) -> list[Any]:
    return [e for e in talk.state.events if isinstance(e, (ObservationEvent, UserRejectObservation, AgentErrorEvent))]


@pytest.fixture
def guard(client: Client, workspace: Path) -> Guard:
    return Guard(client, TASK, {"cwd": str(workspace), "roots": [str(workspace)]})


def test_a_dangerous_call_is_stopped_and_a_harmless_one_runs(guard: Guard, workspace: Path) -> None:
    key = workspace.parent / "key"
    key.write_text("secret")
    talk = play(guard, workspace, say("cat parser.py"), say(f"rm -rf {workspace.parent}"), say("touch made"))
    read, removed, made = results(talk)
    assert isinstance(read, ObservationEvent) and "def parse" in str(read.observation.content)
    assert isinstance(removed, UserRejectObservation) and removed.rejection_source == "hook"
    assert removed.rejection_reason.startswith("Not run: [")
    assert isinstance(made, ObservationEvent) and key.exists() and (workspace / "made").exists()
    stats = guard.session.get().status.stats
    assert stats.calls == 2 and stats.unapproved == 0


def test_one_call_of_an_answer_runs(guard: Guard, workspace: Path) -> None:
    talk = play(guard, workspace, say("touch a", "touch b"), say("touch c"))
    first, second, third = results(talk)
    assert isinstance(first, ObservationEvent) and isinstance(third, ObservationEvent)
    assert isinstance(second, UserRejectObservation) and second.rejection_reason == ONE_AT_A_TIME
    assert sorted(p.name for p in workspace.iterdir()) == ["a", "c", "parser.py"]


def test_the_brief_reaches_the_model_and_not_the_events(guard: Guard, workspace: Path) -> None:
    talk = play(guard, workspace, say("cat parser.py"), say("head -1 parser.py"))
    assert "Now do only this" not in SHOWN[0] and len(SHOWN) == 3
    assert all(s.count("Now do only this: ") == 1 for s in SHOWN[1:])
    assert not any("Now do only this" in e.model_dump_json() for e in talk.state.events)


def test_a_tool_that_fails_is_told(guard: Guard, workspace: Path) -> None:
    talk = play(guard, workspace, say("cat parser.py"), say("cat broken"), say("touch made"))
    assert isinstance(results(talk)[1], AgentErrorEvent)
    assert (workspace / "made").exists()
    assert guard.session.get().status.stats.calls == 3


def test_nothing_runs_when_the_server_is_gone(gbt: str, policy: Path, workspace: Path) -> None:
    with Server(policy, gbt=gbt) as server:
        guard = Guard(server.client(retries=0), TASK, {"cwd": str(workspace), "roots": [str(workspace)]})
    play(guard, workspace, say("touch made"))
    assert not (workspace / "made").exists() and "could not be asked" in guard.stopped[0].message


def test_a_watch_without_its_conversation_lets_nothing_pass(guard: Guard, workspace: Path) -> None:
    talk = play(guard, workspace, say("cat parser.py"))
    action = next(e for e in talk.state.events if type(e).__name__ == "ActionEvent")
    with pytest.raises(RuntimeError, match="not under guard"):
        Watch(guard)(action)


def test_the_example_of_the_readme(gbt: str, policy: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GBT", gbt)
    monkeypatch.chdir(policy.parent)
    done = Message(role="assistant", content=[TextContent(text="Done.")])
    script = [say("cat parser.py"), say("rm -rf /"), say("touch made"), done]
    agent = Agent(llm=Script.from_messages(list(script)), tools=[Tool(name="TerminalTool")])
    names: dict[str, Any] = {"agent": agent, "task": TASK, "cwd": str(workspace)}
    exec(compile(EXAMPLES["openhands-sdk"], "README.md", "exec"), names)
    assert (workspace / "made").exists() and len(names["guard"].stopped) == 1
