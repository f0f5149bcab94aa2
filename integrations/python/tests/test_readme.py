"""The examples of integrations/README.md, run as they stand there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT

EXAMPLES = dict(re.findall(r"^## ([\w-]+)\n\n```python\n(.*?)```", (ROOT / "integrations" / "README.md").read_text(), re.S | re.M))


@pytest.fixture
def names(gbt: str, policy: Path, workspace: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the examples take for granted."""
    monkeypatch.setenv("GBT", gbt)
    monkeypatch.chdir(policy.parent)
    return {"task": "Fix the failing unit test in this package", "cwd": str(workspace)}


def test_there_is_one_for_each_wrapper() -> None:
    assert sorted(EXAMPLES) == ["LangGraph", "mini-swe-agent", "openhands-sdk"]
    for name, code in EXAMPLES.items():
        assert len(code.strip().splitlines()) < 10, name
        compile(code, name, "exec")


def test_mini(names: dict[str, Any], workspace: Path) -> None:
    import test_mini as mini
    from minisweagent.agents.default import DefaultAgent
    from minisweagent.environments.local import LocalEnvironment

    model = mini.Script(["cat parser.py", "rm -rf /", "touch made"])
    names |= {"DefaultAgent": DefaultAgent, "LocalEnvironment": LocalEnvironment, "model": model, "config": mini.PROMPTS}
    exec(compile(EXAMPLES["mini-swe-agent"], "README.md", "exec"), names)
    assert (workspace / "made").exists() and len(names["guard"].stopped) == 1
    assert "Now do only this" in model.shown[1][-1]["content"]


@pytest.mark.filterwarnings("ignore")
def test_langgraph(names: dict[str, Any], workspace: Path) -> None:
    from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
    from langchain_core.messages import AIMessage, SystemMessage
    from langgraph.prebuilt import create_react_agent
    from test_langgraph import say, shell

    shown: list[Any] = []

    class Script(GenericFakeChatModel):
        """create_react_agent binds the tools; a script has no use for them."""

        def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
            return self

        def _generate(self, messages: Any, *args: Any, **kwargs: Any) -> Any:
            shown.append(messages)
            return super()._generate(messages, *args, **kwargs)

    script = iter([say("cat parser.py"), say("rm -rf /"), say("touch made"), AIMessage("Done.")])
    names |= {"create_react_agent": create_react_agent, "model": Script(messages=script), "tools": [shell(workspace)]}
    exec(compile(EXAMPLES["LangGraph"], "README.md", "exec"), names)
    assert (workspace / "made").exists() and len(names["guard"].stopped) == 1
    assert isinstance(shown[1][-1], SystemMessage) and "Now do only this" in shown[1][-1].text
