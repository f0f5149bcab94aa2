"""Runs clients of the Python SDK through gbt mcp, to a server of the Python SDK.

usage: check.py GBT WORKDIR
"""

import asyncio
import json
import os
import socket
import subprocess
import sys
import time

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamablehttp_client
from mcp.types import ElicitResult

gbt, work = sys.argv[1], sys.argv[2]
here = os.path.dirname(os.path.abspath(__file__))
log = os.path.join(work, "reached")
TOKEN = "0123456789abcdef-token"


def reached() -> list[str]:
    return open(log).read().splitlines() if os.path.exists(log) else []


def expect(ok: bool, what: object) -> None:
    if not ok:
        sys.exit(f"mcp: not as expected: {what}")


async def agree(_context, params):
    agree.asked.append(params.message)
    return ElicitResult(action="accept", content={})


agree.asked = []


async def use(read, write, can_ask: bool) -> None:
    """The same calls for every client and transport."""
    if os.path.exists(log):
        os.remove(log)
    agree.asked.clear()
    async with ClientSession(read, write, elicitation_callback=agree if can_ask else None) as s:
        await s.initialize()
        names = [t.name for t in (await s.list_tools()).tools]
        expect({"read_note", "write_file", "bash"} <= set(names), names)
        r = await s.call_tool("read_note", {"name": "a"})
        expect(not r.isError and r.content[0].text == "the note a", r)
        r = await s.call_tool("bash", {"command": "rm -rf /"})
        expect(r.isError and "rejected" in r.content[0].text and "cannot be confirmed" in r.content[0].text, r)
        r = await s.call_tool("write_file", {"path": "/srv/x", "content": "x"})
        if can_ask:
            expect(not r.isError and r.content[0].text == "written", r)
            expect(len(agree.asked) == 1 and "/srv/x" in agree.asked[0], agree.asked)
        else:
            expect(r.isError and "nobody can agree here" in r.content[0].text, r)
        r = await s.read_resource("file:///notes/plan.txt")
        expect(r.contents[0].text == "the plan", r)
    expect(reached() == ["read_note a"] + ["write_file /srv/x"] * can_ask, reached())


def command(*more: str) -> list[str]:
    return ["mcp", "--root", "/notes", *more]


async def stdio_both() -> None:
    for can_ask in (True, False):
        args = command("--", sys.executable, os.path.join(here, "server.py"), log, "stdio")
        async with stdio_client(StdioServerParameters(command=gbt, args=args)) as (r, w):
            await use(r, w, can_ask)


def free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


async def http_both() -> None:
    port, back = free_port(), None
    token, servers = os.path.join(work, "token"), os.path.join(work, "mcp.json")
    open(token, "w").write(TOKEN)
    json.dump({"mcpServers": {"notes": {"url": f"http://127.0.0.1:{port}/mcp"}}}, open(servers, "w"))
    front = free_port()
    back = subprocess.Popen([sys.executable, os.path.join(here, "server.py"), log, "streamable-http", str(port)], stderr=subprocess.DEVNULL)
    proxy = None
    try:
        wait(port)
        proxy = subprocess.Popen([gbt, *command("--servers", servers, "--listen", f"127.0.0.1:{front}", "--token-file", token)])
        wait(front)
        url = f"http://127.0.0.1:{front}/"
        async with streamablehttp_client(url, headers={"Authorization": "Bearer " + TOKEN}) as (r, w, _):
            await use(r, w, True)
        try:
            async with streamablehttp_client(url) as (r, w, _), ClientSession(r, w) as s:
                await asyncio.wait_for(s.initialize(), 5)
            refused = False
        except BaseException:  # anyio wraps what went wrong in groups
            refused = True
        expect(refused, "a client without the token was let in")
    finally:
        for p in (proxy, back):
            if p:
                p.terminate()
                p.wait(10)


def wait(port: int) -> None:
    for _ in range(200):
        with socket.socket() as s:
            if s.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    sys.exit(f"mcp: nothing listens on port {port}")


asyncio.run(stdio_both())
asyncio.run(http_both())
print("mcp: the Python SDK's client and server work through gbt mcp, over stdio and streamable HTTP")
