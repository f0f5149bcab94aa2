"""Opens the page in a real browser, without a window: chooses the policy, presses the button, and reads the decision from the page.

The browser is that of ../browser.py: PYTHONPATH names its folder.
"""

import functools
import http.server
import json
import os
import sys
import tempfile
import threading

from browser import Browser, limit

LIMIT = 120  # seconds for everything


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main(program, folder, policy):
    limit(LIMIT)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as home:
        browser = Browser(program, home)
        try:
            decide(browser, f"http://127.0.0.1:{server.server_port}/index.html", policy, os.path.basename(program))
        finally:
            browser.end()


def decide(browser, page, policy, name):
    """Two decisions on the page, the first of a call that must not run."""
    browser.attach(page)
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
