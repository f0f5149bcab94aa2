"""Compares what a real server says to a client with what it says to the same client behind gbt mcp: what it offers,
logs, progress, questions, changed lists, cancellation and a crash.

usage: passing.py --gbt GBT --npm DIR --py DIR --work DIR [--calls DIR] NAME ...
"""

import argparse
import json
import os
import signal
import sys
import time

import servers
from behaviour import children
from client import Client


def offers(client):
    """The names of everything that a server offers."""
    caps = client.hello["capabilities"]
    out = {}
    for kind, method, key in (("tools", "tools/list", "name"), ("prompts", "prompts/list", "name"), ("resources", "resources/list", "uri")):
        if kind in caps:
            found, cursor = [], None
            while True:
                answer = client.ask(method, **({"cursor": cursor} if cursor else {})).get("result", {})
                found += [x[key] for x in answer.get(kind, [])]
                cursor = answer.get("nextCursor")
                if not cursor:
                    break
            out[kind] = sorted(found)
    return out


def exercise(client, table, values):
    """Makes the calls of the table's "passing", with logs at the finest level and a token for progress."""
    if "logging" in client.hello["capabilities"]:
        client.ask("logging/setLevel", level="debug")
    said, before = [], len(client.notified)
    for n, (tool, args) in enumerate(table.get("passing", [])):
        answer = client.ask("tools/call", name=tool, arguments=servers.fill(args, values), _meta={"progressToken": f"p{n}"})
        said.append("error" in answer or bool(answer["result"].get("isError")))
    time.sleep(1)
    return {"failed": said, "notified": sorted({n["method"] for n in client.notified[before:]} - {"notifications/resources/list_changed", "notifications/prompts/list_changed"}), "requested": sorted(set(client.requested))}


def plain(hello):
    """The letters of a server's instructions; gbt shows them on lines of its own."""
    return "".join(c for c in hello.get("instructions", "") if c.isalnum())


def logged(path):
    with open(path) as f:
        return [json.loads(line) for line in f]


def check(name, world, options):
    table = servers.read(name, options.calls)
    values = world.place(name, table.get("files", {}))
    command = servers.program(servers.fill(table["command"], values), options)
    env = {**os.environ, **servers.fill(table.get("env", {}), values), "HOME": values["home"]}
    with open(os.devnull, "wb") as null:
        direct = Client(command, values["ws"], env, null, roots=[values["ws"]])
        want = {**offers(direct), **exercise(direct, table, values)}
        direct.close()
    values = world.place(name, table.get("files", {}))
    log, tee = os.path.join(world.work, name + ".log"), os.path.join(world.work, name + ".err")
    wrapped = {**table, "command": ["tee.py", *table["command"]], "env": {**table.get("env", {}), "TEE": log}}
    wrong = []
    with open(tee, "wb") as err:
        client = servers.connect({name: wrapped}, values, options, err)
        got = {**offers(client), **exercise(client, table, values)}
        for key in want:
            found = got.get(key, [])
            if key == "requested":
                found = [m for m in found if m != "roots/list" or m in want[key]]  # gbt asks for the roots itself
            if want[key] != found:
                wrong.append(f"{key}: {str(want[key])[:300]} became {str(found)[:300]}")
        if plain(direct.hello) not in plain(client.hello):
            wrong.append("its instructions don't pass")
        quiet = open(tee, errors="replace").read()
        if quiet:
            wrong.append("standard error before anything failed: " + quiet[:200])
        if "slow" in table:
            slow = client.start("tools/call", name=table["slow"][0], arguments=servers.fill(table["slow"][1], values))
            for _ in range(100):
                time.sleep(0.02)
                if sum(m["way"] == "to" and m["method"] == "tools/call" for m in logged(log)) > len(table["passing"]):
                    break
            client.notify("notifications/cancelled", requestId=slow)
            began = time.time()
            client.ask("tools/list")
            time.sleep(1)
            if time.time() - began > 3:
                wrong.append("a list waits for a cancelled call")
            if not [m for m in logged(log) if m["way"] == "to" and m["method"] == "notifications/cancelled"]:
                wrong.append("the server does not hear that a call was given up")
        first = table["harmless"][0]
        pid = children(client.pid)
        os.kill((children(pid[0]) or pid)[0], signal.SIGKILL)
        time.sleep(1.3)
        again = client.ask("tools/call", name=first[0], arguments=servers.fill(first[1], values))
        if "result" not in again or "ended before it answered" in json.dumps(again) or "cannot be reached" in json.dumps(again):
            wrong.append(f"after a crash: {json.dumps(again)[:200]}")
        client.close()
    seen = ", ".join([str(len(got[k])) + " " + k for k in ("tools", "prompts", "resources") if k in got] + got["notified"] + got["requested"] + ["cancelled"] * ("slow" in table))
    print(f"{name:<12} {seen}; {len(open(tee, errors='replace').readlines())} lines on standard error after the crash")
    for w in wrong:
        print(f"{name}: {w}")
    return not wrong


def main():
    p = argparse.ArgumentParser()
    for flag in ("gbt", "npm", "py", "work", "config"):
        p.add_argument("--" + flag, default="")
    p.add_argument("--calls", default="calls")
    p.add_argument("names", nargs="+")
    options = p.parse_args()
    world = servers.World(options.work, options)
    try:
        good = [check(name, world, options) for name in options.names]
    finally:
        world.close()
    if not all(good):
        sys.exit("passing: not as expected")


if __name__ == "__main__":
    main()
