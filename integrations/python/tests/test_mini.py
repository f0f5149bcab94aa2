"""mini-swe-agent's own agent and environment; only the model is simulated: it plays a script."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from minisweagent.agents.default import DefaultAgent
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.test_models import DeterministicModel, make_output

from gbt_policy import Client, Guard, Server
from gbt_policy.mini import guarded
from gbt_policy.schema import Arguments, Decision

PROMPTS: dict[str, Any] = {"system_template": "You fix tests.", "instance_template": "{{task}}", "cost_limit": 0.0}
TASK = "Fix the failing unit test in this package"


class Script(DeterministicModel):
    """The package's scripted model, which also notes what it was shown."""

    def __init__(self, commands: list[str]) -> None:
        super().__init__(  # type: ignore[no-untyped-call]  # it has no type hints
            outputs=[make_output(f"Now: {c}", [{"command": c}]) for c in [*commands, "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"]]
        )
        self.shown: list[list[dict[str, Any]]] = []

    def query(self, messages: list[dict[str, Any]], **kwargs: Any) -> dict[str, Any]:
        self.shown.append(messages)
        answer: dict[str, Any] = super().query(messages, **kwargs)
        return answer


def play(guard: Guard, workspace: Path, commands: list[str]) -> tuple[Script, Any, dict[str, Any]]:
    model = Script(commands)
    agent = DefaultAgent(*guarded(model, LocalEnvironment(cwd=str(workspace)), guard), **PROMPTS)
    return model, agent, agent.run(TASK)


@pytest.fixture
def guard(client: Client, workspace: Path) -> Guard:
    return Guard(client, TASK, {"cwd": str(workspace), "roots": [str(workspace)]})


def test_a_dangerous_command_is_stopped_and_a_harmless_one_runs(guard: Guard, workspace: Path) -> None:
    outside = workspace.parent / "id_rsa"
    outside.write_text("key")
    _, agent, end = play(guard, workspace, ["cat parser.py", f"rm -rf {outside.parent}", "touch made"])
    assert end["exit_status"] == "Submitted"
    assert outside.exists() and (workspace / "parser.py").exists()
    assert (workspace / "made").exists()
    observations = [m["content"] for m in agent.messages if m["role"] == "user"][1:]
    assert "def parse" in observations[0]
    assert "Not run: [" in observations[1] and "126" in observations[1]
    assert [p.call["args"] for p in guard.stopped] == [{"command": f"rm -rf {outside.parent}"}]
    stats = guard.session.get().status.stats
    assert stats.calls == 3 and stats.unapproved == 0


def test_without_the_guard_the_same_script_does_harm(workspace: Path) -> None:
    outside = workspace.parent / "elsewhere" / "id_rsa"
    outside.parent.mkdir()
    outside.write_text("key")
    DefaultAgent(Script([f"rm -rf {outside.parent}"]), LocalEnvironment(cwd=str(workspace)), **PROMPTS).run(TASK)
    assert not outside.exists()


def test_the_brief_reaches_the_model_and_not_the_log(guard: Guard, workspace: Path) -> None:
    model, agent, _ = play(guard, workspace, ["ls -la", "cat parser.py"])
    assert all("Task: " not in m["content"] for m in model.shown[0])
    for shown in model.shown[1:]:
        assert shown[-1]["role"] == "user"
        assert f"Task: {TASK}" in shown[-1]["content"] and "Now do only this: " in shown[-1]["content"]
    assert not any("Now do only this" in str(m["content"]) for m in agent.messages)
    assert guard.move is not None and guard.move.macro is not None


def test_calls_of_one_macro_are_one_proposal(guard: Guard, workspace: Path) -> None:
    """Proposing each of them would begin the macro anew each time, and lose the place in the tree."""
    play(guard, workspace, ["cat parser.py", "head -1 parser.py", "tail -1 parser.py"])
    info = guard.session.get()
    assert info.status.stats.calls == 4
    assert [t.step.macro for t in info.trace if t.op == "propose" and t.step][:1] == ["view"]
    assert sum(t.op == "propose" for t in info.trace) == 2  # reading, and saying that it is done


def test_consent(client: Client, workspace: Path) -> None:
    fetch = "curl -s --max-time 1 http://gbt.invalid/x -o got || touch tried"
    for answer, ran in ((True, True), (False, False)):
        asked: list[str] = []

        def ask(tool: str, args: Arguments, decision: Decision, answer: bool = answer) -> bool:
            asked.append(decision.why)
            return answer

        guard = Guard(client, TASK, {"cwd": str(workspace), "roots": [str(workspace)]}, ask=ask)
        (workspace / "tried").unlink(missing_ok=True)
        play(guard, workspace, ["ls", fetch])
        assert len(asked) == 1 and "egress/" in asked[0]
        assert (workspace / "tried").exists() is ran


def test_nothing_runs_when_the_server_is_gone(gbt: str, policy: Path, workspace: Path) -> None:
    with Server(policy, gbt=gbt) as server:
        guard = Guard(server.client(retries=0), TASK, {"cwd": str(workspace), "roots": [str(workspace)]})
    model = Script(["touch made"])
    agent = DefaultAgent(*guarded(model, LocalEnvironment(cwd=str(workspace)), guard), **PROMPTS, step_limit=1)
    agent.run(TASK)
    assert not (workspace / "made").exists()
    assert "could not be asked" in guard.stopped[0].message


def test_a_stall_is_told_and_calls_are_still_guarded(client: Client, workspace: Path) -> None:
    guard = Guard(client, {"text": TASK, "limits": {"steps": 1}}, {"cwd": str(workspace), "roots": [str(workspace)]})
    model, _, _ = _limited(guard, workspace, ["cat parser.py", "touch made", "touch again"])
    assert not (workspace / "again").exists()
    assert "max-steps" in str(model.shown[-1][-1]["content"])


def _limited(guard: Guard, workspace: Path, commands: list[str]) -> tuple[Script, Any, dict[str, Any]]:
    model = Script(commands)
    agent = DefaultAgent(*guarded(model, LocalEnvironment(cwd=str(workspace)), guard), **PROMPTS, step_limit=len(commands) + 1)
    return model, agent, agent.run(TASK)
