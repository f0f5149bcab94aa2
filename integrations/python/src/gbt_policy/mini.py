"""mini-swe-agent under a policy: `DefaultAgent(*guarded(model, env, guard), ...)`.

The environment is asked about every command before it runs it, the model gets
the brief with every request. The brief is never added to the trajectory.
"""

from __future__ import annotations

from typing import Any

from minisweagent import Environment, Model
from minisweagent.exceptions import InterruptAgentFlow

from .guard import Guard
from .schema import Env

# What a shell answers for a command that it finds and may not run.
NOT_EXECUTABLE = 126


class GuardedModel:
    """A model that sees the brief."""

    def __init__(self, model: Model, guard: Guard) -> None:
        self.inner = model
        self.guard = guard
        self.config = model.config

    def query(self, messages: list[dict[str, str]], **kwargs: Any) -> dict[str, Any]:
        brief = self.guard.brief()
        shown = [*messages, self.inner.format_message(role="user", content=brief)] if brief else messages
        answer: dict[str, Any] = self.inner.query(shown, **kwargs)
        said = answer.get("content")
        self.guard.words = said if isinstance(said, str) else ""
        return answer

    def format_message(self, **kwargs: Any) -> dict[str, Any]:
        message: dict[str, Any] = self.inner.format_message(**kwargs)
        return message

    def format_observation_messages(
        self, message: dict[str, Any], outputs: list[dict[str, Any]], template_vars: dict[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        messages: list[dict[str, Any]] = self.inner.format_observation_messages(message, outputs, template_vars)
        return messages

    def get_template_vars(self, **kwargs: Any) -> dict[str, Any]:
        return self.inner.get_template_vars(**kwargs)

    def serialize(self) -> dict[str, Any]:
        data: dict[str, Any] = self.inner.serialize()
        return data


class GuardedEnvironment:
    """An environment that runs only what the policy approves."""

    def __init__(self, env: Environment, guard: Guard, tool: str = "bash") -> None:
        self.inner = env
        self.guard = guard
        self.tool = tool
        self.config = env.config

    def execute(self, action: dict[str, Any], cwd: str = "", **kwargs: Any) -> dict[str, Any]:
        command = action.get("command", "")
        env: Env | None = {**(self.guard.env or {}), "cwd": cwd} if cwd else None
        permit = self.guard.begin(self.tool, {"command": command}, env)
        if not permit.allowed:
            return {"output": permit.message, "returncode": NOT_EXECUTABLE, "exception_info": ""}
        try:
            output: dict[str, Any] = self.inner.execute(action, cwd, **kwargs)
        except InterruptAgentFlow as e:  # how the environment says that the task was submitted: the command ran
            self.guard.end(permit, "\n".join(str(m.get("content", "")) for m in e.messages))
            raise
        except BaseException as e:
            self.guard.end(permit, error=repr(e))
            raise
        self.guard.end(permit, str(output.get("output", "")), _error(output))
        return output

    def get_template_vars(self, **kwargs: Any) -> dict[str, Any]:
        return self.inner.get_template_vars(**kwargs)

    def serialize(self) -> dict[str, Any]:
        data: dict[str, Any] = self.inner.serialize()
        return data


def _error(output: dict[str, Any]) -> str:
    code = output.get("returncode", 0)
    return str(output.get("exception_info") or "") or (f"exit status {code}" if code else "")


def guarded(model: Model, env: Environment, guard: Guard) -> tuple[GuardedModel, GuardedEnvironment]:
    """A model and an environment for an agent of mini-swe-agent."""
    return GuardedModel(model, guard), GuardedEnvironment(env, guard)
