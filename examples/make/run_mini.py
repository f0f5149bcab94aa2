"""Runs mini-swe-agent on the families `repair` and `release`.

The agent, its prompts (the shipped mini.yaml), its model class, its HTTP client
and its local environment are mini-swe-agent's own.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import yaml
from minisweagent.agents.default import DefaultAgent
from minisweagent.config import builtin_config_dir
from minisweagent.environments.local import LocalEnvironment
from minisweagent.models.litellm_model import LitellmModel

import episodes
import release
import repair
from labels import write_report
from scrub import Scrubber
from server import ScriptServer
from style import STYLES, style
from task import FIXED_ENV, Task, Verdict

# In place of what the prompt would say of the machine that made the logs.
MACHINE = {"system": "Linux", "release": "6.1.0", "version": "#1 SMP", "machine": "x86_64"}


def run(server: ScriptServer, task: Task, who: str, path: Path) -> Verdict:
    """One episode: runs the agent, writes its trajectory, judges what it left."""
    name = f"{task.name}-{who}"
    temp = Path(tempfile.mkdtemp(prefix="gbt-", dir="/tmp"))
    root = temp / task.name.split("__")[1].rsplit("-", 1)[0]
    config = yaml.safe_load((builtin_config_dir / "mini.yaml").read_text())
    config["agent"].pop("mode")
    model = LitellmModel(
        model_name=f"openai/scripted-{who}",
        cost_tracking="ignore_errors",
        **config["model"] | {"model_kwargs": {"drop_params": True, "api_base": server.url}},
    )
    env = LocalEnvironment(cwd=str(root), env=config["environment"]["env"] | FIXED_ENV)
    agent = DefaultAgent(model, env, **config["agent"])
    try:
        task.prepare(root)
        with server.play(name, task.solve(style(who, task.name), root)):
            agent.run(task.prompt, **MACHINE)
        verdict = task.check(root)
    finally:
        shutil.rmtree(temp)
    data = agent.serialize({"instance_id": task.name})
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(Scrubber(name).value(data), indent=1) + "\n")
    return verdict


def main(out: Path) -> None:
    """All episodes, in a folder for each family and agent with a report beside them."""
    os.environ["OPENAI_API_KEY"] = "none"
    server = ScriptServer()
    for family, tasks in (("repair", repair.tasks()), ("release", release.tasks())):
        for who in STYLES:
            folder = out / "mini-swe-agent" / f"{family}-{who}"
            mine = [t for t, w in episodes.pairs(tasks) if w == who]
            done = {t.name: run(server, t, who, folder / f"{t.name}.traj.json") for t in mine}
            write_report(folder, done)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
