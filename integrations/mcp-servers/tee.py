"""Starts an MCP server and passes its lines on both ways; the methods and ids go to the file $TEE.

usage: tee.py SERVER ARGS...
"""

import json
import os
import subprocess
import sys
import threading

log = open(os.environ.pop("TEE"), "a", buffering=1)
server = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
lock = threading.Lock()


def note(way, line):
    try:
        message = json.loads(line)
    except ValueError:
        return
    with lock:
        log.write(json.dumps({"way": way, "method": message.get("method"), "id": message.get("id")}) + "\n")


def down():
    for line in sys.stdin.buffer:
        note("to", line)
        server.stdin.write(line)
        server.stdin.flush()
    server.stdin.close()


threading.Thread(target=down, daemon=True).start()
for line in server.stdout:
    note("from", line)
    sys.stdout.buffer.write(line)
    sys.stdout.buffer.flush()
