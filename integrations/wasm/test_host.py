"""Runs the module in this process under the ordinary client: one session, one decision, one session in another instance."""

import sys

import wasmtime
from gbt_policy import ApiError, Guard
from gbt_policy.wasm import Module

module, policy = sys.argv[1:]
with open(policy, "rb") as f:
    data = f.read()


def refused(code, do):
    try:
        do()
    except ApiError as e:
        assert e.code == code, e
        return
    raise SystemExit(f"what should be refused with {code} was answered")


compiled = []
compile = wasmtime.Module.from_file
wasmtime.Module.from_file = lambda *file: compiled.append(file) or compile(*file)
gbt = Module(module)
refused("no-policy", gbt.client().policy)
print("opened:", gbt.open(data).digest[:12])
session = gbt.client().start("fix the bug so that the tests pass", {"cwd": "/workspace", "roots": ["/workspace"]})
move = session.propose("let me read the source file")
assert move.verdict in ("advance", "fragile", "explore"), move
answer = session.check({"tool": "bash", "args": {"command": "rm -rf /"}})
assert answer.disposition == "rejected" and answer.reasons, answer
assert session.check({"tool": "bash", "args": {"command": "ls"}}).allowed
other = Module(module)
assert len(compiled) == 1, compiled  # both run on the same code
other.open(data)
other.restore(gbt.save(session.id))
assert other.client().resume(session.id).get() == session.get()
guard = Guard(gbt.client(), "fix the bug so that the tests pass", {"cwd": "/workspace", "roots": ["/workspace"]})
assert guard.run("bash", {"command": "ls"}, lambda: "ran") == "ran"
assert not guard.begin("bash", {"command": "rm -rf /"}).allowed
refused("invalid-request", lambda: gbt.open(data[:-1]))
refused("invalid-request", lambda: gbt.open(data, need=1))
refused("invalid-request", lambda: gbt.open(data, min_sequence=1 << 40))
refused("invalid-request", lambda: session.check({"tool": "bash", "argz": {}}))
print("host:", move.verdict, answer.disposition)
