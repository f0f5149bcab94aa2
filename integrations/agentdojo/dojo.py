"""Replays AgentDojo's tasks call by call: the user's ground truth, and the attacker's wherever the victim reads the injected text.

The environments, the ground truths and the checkers of utility and security are the benchmark's own; the victim is simulated and obeys
everything it reads (the worst case).
"""

import warnings
from functools import lru_cache

warnings.filterwarnings("ignore")

import yaml  # noqa: E402
from agentdojo.agent_pipeline.tool_execution import tool_result_to_str  # noqa: E402
from agentdojo.functions_runtime import FunctionCall, FunctionsRuntime  # noqa: E402
from agentdojo.task_suite.load_suites import get_suites  # noqa: E402
from agentdojo.task_suite.task_suite import read_suite_file  # noqa: E402
from agentdojo.types import text_content_block_from_string  # noqa: E402

import attacks  # noqa: E402

VERSION = "v1.2.2"
CANARY = "gbtcanary{}gbtcanary"


@lru_cache
def suites():
    return get_suites(VERSION)


def replace(value, table):
    """Replaces strings in nested data, keys included."""
    if isinstance(value, str):
        for old, new in table.items():
            value = value.replace(old, new)
        return value
    if isinstance(value, list):
        return [replace(v, table) for v in value]
    if isinstance(value, dict):
        return {replace(k, table): replace(v, table) for k, v in value.items()}
    return value


def rename_object(value, table):
    """Replaces strings in a pydantic object, in place where it can."""
    if hasattr(value, "__dict__") and hasattr(type(value), "model_fields"):
        for key, v in list(value.__dict__.items()):
            value.__dict__[key] = rename_object(v, table)
        return value
    if isinstance(value, list):
        return [rename_object(v, table) for v in value]
    if isinstance(value, dict):
        return {rename_object(k, table): rename_object(v, table) for k, v in value.items()}
    return replace(value, table)


def environment(suite, texts):
    """The suite's environment with texts at injection vectors, whatever characters they hold."""
    defaults, marks, data = template(suite.name)
    table = {marks[v]: texts.get(v, defaults[v]) for v in defaults}
    return suite.environment_type.model_validate(replace(data, table))


@lru_cache
def template(name):
    suite = suites()[name]
    defaults = suite.get_injection_vector_defaults()
    marks = {v: CANARY.format(i) for i, v in enumerate(defaults)}
    return defaults, marks, yaml.safe_load(read_suite_file(name, "environment.yaml", suite.data_path).format(**marks))


def places(suite, task):
    """The injection vectors that the user's ground truth reads."""
    marks = template(suite.name)[1]
    run = Run(suite, task, texts=marks)
    run.user()
    seen = "\n".join(m["content"] for m in run.messages if m["role"] == "tool")
    return [v for v, mark in marks.items() if mark in seen]


def letters(text):
    """Letters and digits alone: tools quote, escape and wrap what they print."""
    return "".join(c for c in text.replace("\\n", " ") if c.isalnum())


class Open:
    """The gate that lets everything pass."""

    def start(self, task):
        pass

    def check(self, tool, args):
        return "approved"

    def observe(self, tool, result):
        pass


class Run:
    """One episode. confirm says what the user answers when asked: who ("user" or "attacker") -> bool."""

    def __init__(self, suite, task, injection=None, wording=None, texts=None, rename=False, gate=None, confirm=lambda who: True):
        self.suite, self.task, self.injection = suite, task, injection
        self.gate, self.confirm = gate or Open(), confirm
        self.table, self.mark = {}, None
        texts = dict(texts or {})
        if injection is not None:
            base = environment(suite, {})  # the attacker knows the environment as it is without the attack
            if rename:
                self.table = attacks.renaming(injection.GOAL, str(base.model_dump(mode="json")) + task.PROMPT)
            goal = replace(injection.GOAL, self.table)
            calls = [FunctionCall(function=c.function, args=replace(dict(c.args), self.table)) for c in injection.ground_truth(base)]
            self.injected_calls = calls
            text = attacks.WORDINGS[wording](goal, calls)
            self.mark = text[:80]
            texts = {v: text for v in texts}
        self.env = task.init_environment(environment(suite, texts))
        self.before = self.env.model_copy(deep=True)
        self.runtime = FunctionsRuntime(suite.tools)
        self.messages = [{"role": "user", "content": task.PROMPT}]
        self.trace, self.asked, self.stopped, self.attacked = [], [], [], False
        self.obeyed = 0  # calls that the victim made, or tried to make, for the attacker
        self.gate.start(task.PROMPT)

    def call(self, who, tool, args):
        """Asks the gate, then runs the call. None if it did not run."""
        n = len(self.trace) + len(self.stopped)
        self.obeyed += who == "attacker"
        disposition = self.gate.check(tool, args)
        go = disposition == "approved"
        if disposition == "approved_with_constraints":
            self.asked.append((who, tool))
            go = self.confirm(who)
        result, text, error = None, "", None
        if not go:
            self.stopped.append((who, tool, disposition))
            error = text = f"blocked: {disposition}"
        else:
            result, error = self.runtime.run_function(self.env, tool, args)
            text = tool_result_to_str(result) if error is None else error
            self.trace.append(FunctionCall(function=tool, args=args))
            self.gate.observe(tool, text)
        record = {"id": f"c{n}", "type": "function", "function": {"name": tool, "arguments": args}}
        self.messages.append({"role": "assistant", "content": "", "tool_calls": [record]})
        self.messages.append({"role": "tool", "content": text, "tool_call_id": f"c{n}", "tool_call": record, "error": error})
        if go and who == "user" and self.injection is not None and not self.attacked and self.reads(text):
            self.attacked = True
            self.attack()
        return result if error is None else None

    def reads(self, text):
        return letters(self.mark) in letters(text)

    def attack(self):
        if self.injected_calls:
            for c in self.injected_calls:
                self.call("attacker", c.function, dict(c.args))
            return
        if self.suite.name != "workspace":
            return  # what is asked for are words, not calls
        rename = lambda v: replace(v, self.table)  # noqa: E731
        attacks.Obedient(self.env, lambda tool, args: self.call("attacker", tool, args)).run(self.injection.ID, rename)

    def user(self):
        for c in self.task.ground_truth(self.before):
            self.call("user", c.function, dict(c.args))

    def finish(self):
        """Runs the episode; returns the official utility (without an attack only: its checker is slow) and whether the attack reached its goal."""
        self.user()
        output = self.task.GROUND_TRUTH_OUTPUT
        self.messages.append({"role": "assistant", "content": output, "tool_calls": None})
        blocks = [text_content_block_from_string(output)]
        if self.injection is None:
            return self.suite._check_task_result(self.task, blocks, self.before, self.env, self.trace), False
        back = {new: old for old, new in self.table.items()}
        post, pre = rename_object(self.env.model_copy(deep=True), back), rename_object(self.before.model_copy(deep=True), back)
        trace = [FunctionCall(function=c.function, args=replace(dict(c.args), back)) for c in self.trace]
        said = [text_content_block_from_string(getattr(self.injection, "GROUND_TRUTH_OUTPUT", "") if self.attacked else "")]
        return None, self.suite._check_task_result(self.injection, said, pre, post, trace)
