"""Opens the page in a real browser, without a window: chooses the policy, presses the button, and reads the decision from the page.

Speaks DevTools over a pipe (--remote-debugging-pipe: JSON, ended by a zero byte), which needs nothing beside Python.
"""

import functools
import http.server
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time

LIMIT = 120  # seconds for everything


class Browser:
    """A browser at the other end of two pipes."""

    def __init__(self, program, home):
        down, self._to = os.pipe()
        self._from, up = os.pipe()

        def pipes():  # the browser reads file descriptor 3 and writes 4
            a, b = os.dup(down), os.dup(up)
            os.dup2(a, 3)
            os.dup2(b, 4)

        flags = ["--headless=new", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", f"--user-data-dir={home}"]
        if os.getuid() == 0:
            flags.append("--no-sandbox")  # the browser's own sandbox refuses root; the page is ours
        self.process = subprocess.Popen([program, *flags, "--remote-debugging-pipe", "about:blank"], preexec_fn=pipes, close_fds=False, start_new_session=True,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(down)
        os.close(up)
        self._rest, self._id, self.session = b"", 0, None

    def ask(self, method, **params):
        self._id += 1
        message = {"id": self._id, "method": method, "params": params}
        if self.session:
            message["sessionId"] = self.session
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while True:
            while b"\0" not in self._rest:
                part = os.read(self._from, 1 << 16)
                if not part:
                    sys.exit("page: the browser ended")
                self._rest += part
            line, self._rest = self._rest.split(b"\0", 1)
            answer = json.loads(line)
            if answer.get("id") == self._id:
                if "error" in answer:
                    sys.exit(f"page: {method}: {answer['error']}")
                return answer["result"]

    def eval(self, expression):
        return self.ask("Runtime.evaluate", expression=expression, returnByValue=True)["result"].get("value")

    def until(self, expression):
        """The first value that is true."""
        while not (value := self.eval(expression)):
            time.sleep(0.1)
        return value


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main(program, folder, policy):
    limit = threading.Timer(LIMIT, lambda: os._exit(print(f"page: no answer in {LIMIT} seconds", file=sys.stderr) or 1))
    limit.daemon = True
    limit.start()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        browser = Browser(program, home)
        try:
            decide(browser, f"http://127.0.0.1:{server.server_port}/index.html", policy, os.path.basename(program))
        finally:
            os.killpg(browser.process.pid, signal.SIGKILL)  # its helpers too: the group is its own
            browser.process.wait()


def decide(browser, page, policy, name):
    """Two decisions on the page, the first of a call that must not run."""
    target = browser.ask("Target.createTarget", url=page)["targetId"]
    browser.session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
    browser.until("!!document.getElementById('go') && !document.getElementById('go').disabled")
    root = browser.ask("DOM.getDocument")["root"]["nodeId"]
    field = browser.ask("DOM.querySelector", nodeId=root, selector="#policy")["nodeId"]
    browser.ask("DOM.setFileInputFiles", nodeId=field, files=[os.path.abspath(policy)])
    for command, want in (("rm -rf /", "rejected"), ("ls", "approved")):
        browser.eval(f"out.textContent = ''; document.getElementById('command').value = {json.dumps(command)}; document.getElementById('go').click()")
        shown = json.loads(browser.until("document.getElementById('out').textContent"))
        assert shown["disposition"] == want and shown["verdict"] in ("advance", "fragile", "explore"), shown
        assert bool(shown["reasons"]) == (want == "rejected") and "fix the failing test" in shown["prompt"], shown
        print(f"page in {name}: {command}: {shown['verdict']} {shown['disposition']}")


main(*sys.argv[1:])
