"""A client of `gbt check`: one process, one session an episode."""

import json
import subprocess


class Gate:
    def __init__(self, command):
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.session, self.task, self.reasons = 0, "", []

    def start(self, task):
        self.session += 1
        self.task = task

    def check(self, tool, args):
        line = {"id": 1, "session": self.session, "tool": tool, "args": args, "task": self.task, "cwd": "/"}
        self.process.stdin.write(json.dumps(line, default=str) + "\n")
        answer = self.process.stdout.readline()
        if not answer:
            raise RuntimeError("gbt check ended: see its message above")
        answer = json.loads(answer)
        self.reasons = answer["reasons"]
        return answer["disposition"]

    def observe(self, tool, result):
        self.process.stdin.write(json.dumps({"observe": {"tool": tool, "result": result}, "session": self.session}) + "\n")

    def close(self):
        self.process.stdin.close()
        self.process.wait()
