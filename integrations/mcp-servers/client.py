"""An MCP client on standard input and output, as small as the test needs it. Uses nothing beside Python."""

import json
import queue
import subprocess
import threading


class Client:
    """One program that speaks MCP. agree says what the user answers to gbt's questions; asked are those."""

    def __init__(self, command, cwd, env, stderr, roots=()):
        self._p = subprocess.Popen(command, cwd=cwd, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=stderr)
        self.pid = self._p.pid
        self._answers, self._id, self._lock = {}, 0, threading.Lock()
        self.agree, self.asked, self.notified, self.requested, self._roots = True, [], [], [], list(roots)
        threading.Thread(target=self._read, daemon=True).start()
        capabilities = {"elicitation": {}, "sampling": {}, "roots": {"listChanged": True}}
        hello = self.ask("initialize", protocolVersion="2025-06-18", capabilities=capabilities, clientInfo={"name": "test", "version": "1"})
        if "result" not in hello:
            raise RuntimeError(f"{command[:2]} does not greet: {hello}")
        self.hello = hello["result"]
        self._send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _send(self, message):
        with self._lock:
            self._p.stdin.write(json.dumps(message).encode() + b"\n")
            self._p.stdin.flush()

    def _read(self):
        for line in self._p.stdout:
            message = json.loads(line)
            if "method" not in message:
                self._answers[message["id"]].put(message)
            elif "id" in message:
                self._send({"jsonrpc": "2.0", "id": message["id"], "result": self._answer(message["method"], message["params"] if "params" in message else {})})
            else:
                self.notified.append(message)
        for waiting in self._answers.values():
            waiting.put({"error": {"code": 0, "message": "the program ended"}})

    def _answer(self, method, params):
        if method == "elicitation/create" and "Your yes is for exactly this call" in params["message"] and not params["message"].startswith("The MCP server "):
            self.asked.append(params["message"])
            return {"action": "accept", "content": {}} if self.agree else {"action": "decline"}
        self.requested.append(method)
        if method == "elicitation/create":
            return {"action": "decline"}
        if method == "sampling/createMessage":
            return {"role": "assistant", "content": {"type": "text", "text": "hello"}, "model": "scripted"}
        if method == "roots/list":
            return {"roots": [{"uri": "file://" + r, "name": "work"} for r in self._roots]}
        return {}

    def start(self, method, **params):
        """Sends a request and returns its id."""
        self._id += 1
        self._answers[self._id] = queue.Queue()
        self._send({"jsonrpc": "2.0", "id": self._id, "method": method, "params": params})
        return self._id

    def wait(self, request, seconds=90):
        return self._answers[request].get(timeout=seconds)

    def ask(self, method, **params):
        return self.wait(self.start(method, **params))

    def notify(self, method, **params):
        self._send({"jsonrpc": "2.0", "method": method, "params": params})

    def close(self):
        self._p.stdin.close()
        try:
            self._p.wait(10)
        except subprocess.TimeoutExpired:
            self._p.kill()
            self._p.wait()
        return self._p.returncode
