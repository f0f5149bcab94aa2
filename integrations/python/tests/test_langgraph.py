"""LangGraph's own graph and ToolNode; only the model is simulated: it plays a script."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage, BaseMessage, SystemMessage, ToolMessage
from langchain_core.tools import BaseTool, tool
from langgraph.graph import END, START, MessagesState, StateGraph

from gbt_policy import Client, Guard
from gbt_policy.langgraph import guarded_tools, with_brief

TASK = "Fix the failing unit test in this package"


def say(*commands: str) -> AIMessage:
    """A scripted answer that calls the shell, once for each command."""
    return AIMessage("Next.", tool_calls=[{"name": "bash", "args": {"command": c}, "id": f"c{i}-{hash(c)}"} for i, c in enumerate(commands)])


class Agent:
    """A graph of a scripted model and guarded tools, which notes what the model was shown."""

    def __init__(self, guard: Guard, workspace: Path, script: Sequence[AIMessage]) -> None:
        self.shown: list[Sequence[BaseMessage]] = []
        model = GenericFakeChatModel(messages=iter([*script, AIMessage("Done.")]))

        def think(state: MessagesState) -> dict[str, Any]:
            self.shown.append(with_brief(state["messages"], guard))
            return {"messages": [model.invoke(self.shown[-1])]}

        graph = StateGraph(MessagesState)
        graph.add_node("think", think)
        graph.add_node("tools", guarded_tools([shell(workspace)], guard))
        graph.add_edge(START, "think")
        graph.add_conditional_edges("think", lambda s: "tools" if s["messages"][-1].tool_calls else END, ["tools", END])
        graph.add_edge("tools", "think")
        self.graph = graph.compile()

    def results(self, run: Callable[[Any, Any], Any]) -> list[ToolMessage]:
        said = run(self.graph, {"messages": [("user", TASK)]})["messages"]
        return [m for m in said if isinstance(m, ToolMessage)]


def shell(workspace: Path) -> BaseTool:
    @tool
    def bash(command: str) -> str:
        """Runs a shell command."""
        return subprocess.run(["bash", "-c", command], cwd=workspace, capture_output=True, text=True, timeout=10).stdout

    return bash


RUNS: dict[str, Callable[[Any, Any], Any]] = {
    "invoke": lambda graph, state: graph.invoke(state),
    "ainvoke": lambda graph, state: asyncio.run(graph.ainvoke(state)),
}


@pytest.fixture
def guard(client: Client, workspace: Path) -> Guard:
    return Guard(client, TASK, {"cwd": str(workspace), "roots": [str(workspace)]})


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_a_dangerous_call_is_stopped_and_a_harmless_one_runs(guard: Guard, workspace: Path, run: Any) -> None:
    key = workspace.parent / "key"
    key.write_text("secret")
    agent = Agent(guard, workspace, [say("cat parser.py"), say(f"rm -rf {workspace.parent}"), say("touch made")])
    read, removed, made = agent.results(run)
    assert "def parse" in str(read.content) and read.status == "success"
    assert str(removed.content).startswith("Not run: [") and removed.status == "error"
    assert made.status == "success" and key.exists() and (workspace / "made").exists()
    assert guard.session.get().status.stats.unapproved == 0


@pytest.mark.parametrize("run", RUNS.values(), ids=RUNS)
def test_calls_of_one_message_are_decided_one_after_the_other(guard: Guard, workspace: Path, run: Any) -> None:
    agent = Agent(guard, workspace, [say("touch a", "rm -rf /", "touch b", "ls")])
    a, removed, b, ls = agent.results(run)
    assert (a.status, removed.status, b.status, ls.status) == ("success", "error", "success", "success")
    trace = [t.op for t in guard.session.get().trace if t.op in ("check", "observe")]
    calls = [trace[i] for i in range(len(trace)) if i == 0 or trace[i] != trace[i - 1]]
    assert calls == ["check", "observe"] * 4


def test_the_brief_reaches_the_model_and_not_the_state(guard: Guard, workspace: Path) -> None:
    agent = Agent(guard, workspace, [say("ls -la"), say("cat parser.py")])
    agent.results(RUNS["invoke"])
    assert not any(isinstance(m, SystemMessage) for m in agent.shown[0])
    for shown in agent.shown[1:]:
        assert isinstance(shown[-1], SystemMessage) and "Now do only this: " in shown[-1].text
        assert sum(isinstance(m, SystemMessage) for m in shown) == 1


def test_a_tool_that_raises_is_told_and_the_next_call_goes_on(guard: Guard, workspace: Path) -> None:
    broken = Agent(guard, workspace / "nowhere", [say("ls")])
    with pytest.raises(FileNotFoundError):
        broken.results(RUNS["invoke"])
    good = Agent(guard, workspace, [say("ls")])
    assert good.results(RUNS["invoke"])[0].status == "success"


def test_a_tool_that_is_only_async(guard: Guard, workspace: Path) -> None:
    @tool
    async def bash(command: str) -> str:
        """Runs a shell command."""
        await asyncio.sleep(0)
        return shell(workspace).invoke({"command": command})  # type: ignore[no-any-return]

    node = guarded_tools([bash], guard)
    graph = StateGraph(MessagesState)
    graph.add_node("tools", node)
    graph.add_edge(START, "tools")
    state: Any = {"messages": [say("touch made", "rm -rf /")]}
    said = asyncio.run(graph.compile().ainvoke(state))["messages"]
    assert [m.status for m in said[1:]] == ["success", "error"] and (workspace / "made").exists()
