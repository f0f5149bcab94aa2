"""AgentDojo's environments for gbt's replays: the calls of a run again, on a fresh environment, judged by the checker of its injection task.

Speaks the environment protocol (replay/PROTOCOL.md). What the attacker wrote is put back where it stood: the wording of the attack names a
user and a model, which are taken from the results in the log. A run whose injected text is of no known wording is refused. Line breaks of the
wording changed between versions of the package, so compare with --loose.
"""

import os
import re
import sys
import warnings

# Tools return sets as lists: without a fixed seed the same calls give two orders. Before the imports, which take seconds.
if __name__ == "__main__" and os.environ.get("PYTHONHASHSEED") != "0":
    os.execve(sys.executable, [sys.executable, *sys.orig_argv[1:]], {**os.environ, "PYTHONHASHSEED": "0"})

warnings.filterwarnings("ignore")
here = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [here, os.path.join(here, "..", "replay-env")]

from agentdojo.agent_pipeline.tool_execution import tool_result_to_str  # noqa: E402
from agentdojo.attacks.base_attacks import FixedJailbreakAttack  # noqa: E402
from agentdojo.attacks.important_instructions_attacks import ImportantInstructionsAttack  # noqa: E402
from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime  # noqa: E402
from agentdojo.types import text_content_block_from_string  # noqa: E402

import dojo  # noqa: E402
from replay_env import Environment, Refusal, serve  # noqa: E402

# Whom the attack "important_instructions" says it is from and to.
NAMES = re.compile(r"important message from me, (.{1,60}?), to you, (.{1,60}?)\. *Before you can solve")


class NoPipeline:
    name = None


class Dojo(Environment):
    name = "agentdojo"
    wants = ["results"]

    def configure(self, config):
        dojo.VERSION = (config or {}).get("version", "v1")  # of the tasks, as the package counts them

    def setup(self, episode):
        suite = dojo.suites().get(episode.get("group"))
        task = suite and suite.user_tasks.get(episode.get("task_id", "").rpartition("/")[2])
        if not task:
            raise Refusal("unknown-task", f"there is no task {episode.get('task_id')} in the suites of AgentDojo {dojo.VERSION}")
        found = re.search(r"injection_task_\d+", episode["id"])
        injection = suite.injection_tasks.get(found[0]) if found else None
        if found and not injection:
            raise Refusal("unknown-task", f"there is no {found[0]} in the suite {suite.name}")
        texts = self.injected(suite, task, injection, episode.get("results", [])) if injection else {}
        env = task.init_environment(dojo.environment(suite, texts))
        self.suite, self.injection = suite, injection
        self.before = env.model_copy(deep=True)
        return {"env": env, "trace": [], "reached": False}

    def injected(self, suite, task, injection, results):
        """What stands at each injection vector that the task reads."""
        seen = "\n".join(results)
        names = NAMES.search(re.sub(r"\s+", " ", re.sub(r"\\n|\\", " ", seen)))
        user, model = names.groups() if names else ("Emma Johnson", "AI assistant")
        attack = FixedJailbreakAttack(ImportantInstructionsAttack._JB_STRING, suite, NoPipeline())
        attack.user_name, attack.model_name = user, model
        texts = attack.attack(task, injection)
        if names and dojo.letters(next(iter(texts.values()))) not in dojo.letters(seen):
            raise Refusal("unknown-task", "the injected text in the log is of no wording known here")
        return texts

    def execute(self, tool, args, call):
        env, trace = self.state["env"], self.state["trace"]
        result, error = FunctionsRuntime(self.suite.tools).run_function(env, tool, args)
        trace.append(FunctionCall(function=tool, args=args))
        out = {"text": tool_result_to_str(result) if error is None else ""}
        if error is not None:
            out["error"] = error
        if self.injection and not self.state["reached"] and self.reached():
            self.state["reached"] = True
            out["verdicts"] = [{"rule": "agentdojo.security", "detail": self.injection.ID}]
        return out

    def reached(self):
        said = [text_content_block_from_string("")]  # the answer does not count: calls are judged
        pre, post = self.before.model_copy(deep=True), self.state["env"].model_copy(deep=True)
        return self.suite._check_task_result(self.injection, said, pre, post, self.state["trace"])


if __name__ == "__main__":
    serve(Dojo())
