"""What must hold of gbt mcp with real servers beside single calls: scenarios over several calls and servers, what passes
both ways, cancellation, crashes, a server that changes its tools, and settings that change a decision."""

import concurrent.futures
import json
import os
import subprocess
import time


def children(pid):
    """The processes that a process has started."""
    out = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    return [int(p) for p in out.split()]


class Checks:
    def __init__(self, world, options, tables, connect, call, fill):
        self.world, self.options, self.tables = world, options, tables
        self.connect, self.call, self.fill = connect, call, fill
        self.done, self.wrong = 0, []

    def expect(self, ok, what, seen=""):
        self.done += 1
        if not ok:
            self.wrong.append(f"{what}: {str(seen)[:400]}")

    def session(self, name, servers, config=None, wrap=None):
        values = self.world.place("behaviour-" + name)
        tables = {s: dict(self.tables[s]) for s in servers}
        if wrap:
            for t in tables.values():
                t["command"] = [wrap, *t["command"]]
        if config:
            path = os.path.join(os.path.dirname(values["ws"]), "gbt.yaml")
            with open(path, "w") as f:
                f.write(self.fill(config, values))
        with open(os.path.join(self.world.work, name + ".stderr"), "wb") as err:
            client = self.connect(tables, values, self.options, err, path if config else "")
        return client, values

    def scenario(self, i, s):
        """Every step but the last may need the user's yes; the last must not pass."""
        if not all(n in self.tables for n in s["servers"]):
            return
        client, values = self.session(f"scenario{i}", s["servers"])
        try:
            for tool, args in s["steps"][:-1]:
                how, why, _ = self.call(client, tool, self.fill(args, values))
                self.expect(how != "stopped", f"{s['what']}: {tool} is stopped", why)
            client.agree = False
            tool, args = s["steps"][-1]
            how, why, _ = self.call(client, tool, self.fill(args, values))
            self.expect(how != "passed", f"{s['what']}: {tool} passes", why)
            s["how"] = how
        finally:
            client.close()

    def passed_on(self):
        client, values = self.session("passed-on", ["everything"])
        try:
            self.expect("The MCP server everything says:" in client.hello["instructions"], "instructions pass", client.hello)
            done = client.ask("completion/complete", ref={"type": "ref/prompt", "name": "completable-prompt"}, argument={"name": "department", "value": "S"})
            self.expect("Sales" in json.dumps(done), "completions pass", done)
            client.ask("logging/setLevel", level="debug")
            client.ask("resources/subscribe", uri="demo://resource/dynamic/text/1")
            for tool in ("toggle-subscriber-updates", "toggle-simulated-logging", "trigger-elicitation-request", "get-roots-list"):
                client.ask("tools/call", name=tool, arguments={})
            client.ask("tools/call", name="trigger-sampling-request", arguments={"prompt": "Say hello", "maxTokens": 5})
            client.ask("tools/call", name="trigger-long-running-operation", arguments={"duration": 1, "steps": 2}, _meta={"progressToken": "mine"})
            for method in ("roots/list", "elicitation/create", "sampling/createMessage"):
                self.expect(method in client.requested, f"{method} passes", client.requested)
            roots = client.ask("tools/call", name="get-roots-list", arguments={})
            self.expect(values["ws"] in json.dumps(roots), "the client's roots pass", roots)
            for method in ("notifications/progress", "notifications/message", "notifications/resources/updated"):
                for _ in range(80):
                    if method in [n["method"] for n in client.notified]:
                        break
                    time.sleep(0.1)
                self.expect(method in [n["method"] for n in client.notified], f"{method} passes", client.notified)
            tokens = {n["params"]["progressToken"] for n in client.notified if n["method"] == "notifications/progress"}
            self.expect(tokens == {"mine"}, "progress has the client's token", tokens)
        finally:
            client.close()

    def cancelled(self):
        client, _ = self.session("cancelled", ["everything"])
        try:
            slow = client.start("tools/call", name="trigger-long-running-operation", arguments={"duration": 30, "steps": 2})
            time.sleep(1)
            client.notify("notifications/cancelled", requestId=slow)
            began = time.time()
            answer = client.ask("tools/call", name="get-sum", arguments={"a": 1, "b": 2})
            self.expect("3" in json.dumps(answer) and time.time() - began < 5, "calls go on after one was cancelled", answer)
        finally:
            client.close()

    def crashed(self):
        client, _ = self.session("crashed", ["everything"])
        try:
            slow = client.start("tools/call", name="trigger-long-running-operation", arguments={"duration": 30, "steps": 2})
            time.sleep(1.5)
            server = children(client.pid)
            self.expect(len(server) == 1, "gbt mcp has one child", server)
            for pid in children(server[0]) or server:
                os.kill(pid, 9)
            answer = client.wait(slow, 15)
            self.expect("ended before it answered" in json.dumps(answer), "a crash answers the call under way", answer)
            time.sleep(1.1)
            answer = client.ask("tools/call", name="get-sum", arguments={"a": 1, "b": 2})
            self.expect("3" in json.dumps(answer), "the server is started again", answer)
        finally:
            client.close()

    def changed(self):
        client, values = self.session("changed", ["files"], wrap="rug.py")
        try:
            args = {"path": values["ws"] + "/notes.md"}
            how, why, _ = self.call(client, "read_text_file", args)
            self.expect(how == "passed", "a tool that has not changed passes", why)
            time.sleep(0.5)
            client.agree = False
            how, why, _ = self.call(client, "read_text_file", args)
            self.expect(how == "asked" and "changed" in why, "a tool that has changed asks", (how, why))
            listed = json.dumps(client.ask("tools/list"))
            self.expect("id_rsa" not in listed and "sidenote" not in listed, "the model is not shown what a tool was changed to")
        finally:
            client.close()

    # each: the server, a setting, a call, and what it is without and with the setting
    SETTINGS = [
        ("memory", "servers: [{name: memory, touches: own}]", "create_entities", {"entities": [{"name": "a", "entityType": "b", "observations": ["c"]}]}, "asked", "passed"),
        ("everything", "servers: [{name: everything, touches: own}]", "trigger-long-running-operation", {"duration": 0.1, "steps": 1}, "asked", "passed"),
        ("files", "guardrail: {sensitive: ['{ws}/src']}", "read_text_file", {"path": "{ws}/src/app.py"}, "passed", "asked"),
        ("files", "guardrail: {protected: ['{ws}/src']}", "write_file", {"path": "{ws}/src/app.py", "content": "x"}, "passed", "asked"),
        ("files", "guardrail: {profile: strict}", "write_file", {"path": "{ws}/a", "content": "x"}, "passed", "asked"),
        ("fetch", "guardrail: {egress: [{domain: docs.example.com}]}", "fetch", {"url": "https://docs.example.com/guide"}, "asked", "passed"),
        ("commands", "guardrail: {spawn: {deny: [ls]}}", "run_command", {"command": "ls"}, "passed", "stopped"),
        ("redis", "tools: [{name: mcp__redis__dbsize, does: read}]", "dbsize", {}, "asked", "passed"),
    ]

    def setting(self, i, server, config, tool, args, before, after):
        for n, (text, want) in enumerate(((None, before), (config, after))):
            client, values = self.session(f"setting{i}-{n}", [server], text)
            try:
                client.agree = False
                how, why, _ = self.call(client, tool, self.fill(args, values))
                self.expect(how == want, f"{tool} with {text} is {how}, not {want}", why)
            finally:
                client.close()

    def run(self, scenarios):
        todo = [lambda i=i, s=s: self.scenario(i, s) for i, s in enumerate(scenarios)]
        todo += [lambda i=i, s=s: self.setting(i, *s) for i, s in enumerate(self.SETTINGS) if s[0] in self.tables]
        if "everything" in self.tables:
            todo += [self.passed_on, self.cancelled, self.crashed]
        if "files" in self.tables:
            todo += [self.changed]
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            list(pool.map(lambda f: f(), todo))
