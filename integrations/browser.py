"""A browser without a window, for tests of pages.

Speaks DevTools over a pipe (--remote-debugging-pipe: JSON, ended by a zero byte), which needs nothing beside Python.
"""

import base64
import json
import os
import signal
import subprocess
import sys
import threading
import time


class Browser:
    """A browser at the other end of two pipes. What it says unasked is kept in events."""

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
        self._rest, self._id, self.session, self.events = b"", 0, None, []

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
            if "method" in answer:
                self.events.append(answer)
            if answer.get("id") == self._id:
                if "error" in answer:
                    sys.exit(f"page: {method}: {answer['error']}")
                return answer["result"]

    def eval(self, expression):
        result = self.ask("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in result:
            sys.exit(f"page: {expression}: {result['exceptionDetails'].get('exception', result)}")
        return result["result"].get("value")

    def until(self, expression):
        """The first value that is true."""
        while not (value := self.eval(expression)):
            time.sleep(0.05)
        return value

    def attach(self, url):
        """Opens a page, and speaks to it from now on."""
        target = self.ask("Target.createTarget", url=url)["targetId"]
        self.session = self.ask("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]

    def press(self, key, text=""):
        for kind in ("keyDown", "keyUp"):
            self.ask("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown" else "")

    def shot(self, file):
        with open(file, "wb") as out:
            out.write(base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"]))

    def end(self):
        os.killpg(self.process.pid, signal.SIGKILL)  # what it started too: the group is its own
        self.process.wait()


def limit(seconds):
    """Ends this program after some seconds, whatever it waits for."""
    timer = threading.Timer(seconds, lambda: os._exit(print(f"page: no answer in {seconds} seconds", file=sys.stderr) or 1))
    timer.daemon = True
    timer.start()
