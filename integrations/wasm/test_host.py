"""Runs the module in this process: one session, one decision, one resume."""

import sys

from gbt_wasm import Gbt

module, policy = sys.argv[1:]
with open(policy, "rb") as f:
    data = f.read()
gbt = Gbt(module)
print("opened:", gbt.open(data)["digest"][:12])
env = {"cwd": "/workspace", "roots": ["/workspace"], "uid": -1, "gid": -1}
gbt.ask("start", session="a", task={"id": "a", "text": "fix the bug so that the tests pass"}, env=env)
move = gbt.ask("propose", session="a", text="let me read the source file")
assert move["verdict"] in ("advance", "fragile", "explore"), move
answer = gbt.ask("check", session="a", tool="bash", args={"command": "rm -rf /"})
assert answer["disposition"] == "rejected" and answer["reasons"], answer
assert gbt.ask("check", session="a", tool="bash", args={"command": "ls"})["allowed"]
other = Gbt(module)
other.open(data)
other.ask("resume", session="b", data=gbt.ask("save", session="a")["data"])
assert other.ask("status", session="b")["status"] == gbt.ask("status", session="a")["status"]
try:
    gbt.ask("nonsense", session="a")
    raise SystemExit("an unknown request was answered")
except ValueError as e:
    assert "unknown request" in str(e)
try:
    gbt.open(data[:-1])
    raise SystemExit("a cut policy was opened")
except ValueError:
    pass
print("host:", move["verdict"], answer["disposition"])
