"""The environment protocol of gbt, version 1 (replay/PROTOCOL.md), for Python.

Subclass Environment, keep everything that calls can change in self.state, and
pass an instance to serve(). Needs the standard library only.
"""

import copy
import json
import sys


class Refusal(Exception):
    """The environment cannot do what it was asked; a tool that fails is a result."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class Environment:
    """One environment. The methods to write are setup, execute and, where
    checkers judge states, judge; checkpoints copy self.state."""

    name = "environment"
    verdicts = "call"  # or "state": only judge knows the violations
    wants = None  # ["results"]: setup finds in episode["results"] what the log's calls returned
    places = None  # {"roots": [...], "cwd": ..., "home": ...}

    def configure(self, config):
        """Takes what the user gave for this environment, None if nothing."""

    def setup(self, episode):
        """Returns the state before the episode's first call."""
        raise NotImplementedError

    def execute(self, tool, args, call):
        """Runs one call on self.state and returns a result: at least {"text": str}."""
        raise NotImplementedError

    def judge(self):
        """Returns (outcome, verdicts) of self.state, or None if it cannot."""
        return None

    def snapshot(self):
        return copy.deepcopy(self.state)

    def recall(self, kept):
        self.state = copy.deepcopy(kept)


def serve(env, stdin=None, stdout=None):
    """Answers requests until the input ends."""
    stdin = stdin or sys.stdin.buffer
    stdout = stdout or sys.stdout.buffer
    sys.stdout = sys.stderr  # what a tool prints is no answer
    marks = {}
    for line in stdin:
        request_id = None
        try:
            request = json.loads(line)
            request_id = request["id"]
            answer = {"id": request_id, "ok": True}
            answer.update(_answer(env, marks, request))
        except Refusal as e:
            answer = _refused(request_id, e.code, str(e))
        except Exception as e:  # a fault of this environment, not of a tool
            answer = _refused(request_id, "internal", f"{type(e).__name__}: {e}")
        stdout.write(json.dumps(answer, ensure_ascii=False).encode("utf-8", "replace") + b"\n")
        stdout.flush()


def _refused(request_id, code, message):
    return {"id": request_id, "ok": False, "error": {"code": code, "message": message}}


def _answer(env, marks, request):
    op = request.get("op")
    if op == "hello":
        env.configure(request.get("config"))
        answer = {"version": 1, "name": env.name, "verdicts": env.verdicts}
        if env.wants:
            answer["wants"] = env.wants
        if env.places:
            answer["places"] = env.places
        return answer
    if op == "reset":
        marks.clear()
        env.state = env.setup(request["episode"])
        return {}
    if op == "execute":
        call = request["call"]
        return {"result": env.execute(call["tool"], call["args"], call)}
    if op == "checkpoint":
        mark = f"m{len(marks)}"
        marks[mark] = env.snapshot()
        return {"mark": mark}
    if op == "restore":
        if request["mark"] not in marks:
            raise Refusal("unknown-mark", f"there is no mark {request['mark']}")
        env.recall(marks[request["mark"]])
        return {}
    if op == "judge":
        judged = env.judge()
        if judged is None:
            raise Refusal("unknown-op", "this environment judges calls only")
        return {"outcome": judged[0], "verdicts": judged[1]}
    raise Refusal("unknown-op", f"there is no request {op}")
