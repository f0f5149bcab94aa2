"""An MCP server of the Python SDK. What reaches a tool is appended to the file named first."""

import sys

from mcp.server.fastmcp import FastMCP

log, transport = sys.argv[1], sys.argv[2]
server = FastMCP("notes", port=int(sys.argv[3]) if len(sys.argv) > 3 else 0)


def note(line: str) -> None:
    with open(log, "a") as f:
        print(line, file=f)


@server.tool()
def read_note(name: str) -> str:
    note(f"read_note {name}")
    return f"the note {name}"


@server.tool()
def write_file(path: str, content: str) -> str:
    note(f"write_file {path}")
    return "written"


@server.tool()
def bash(command: str) -> str:
    note(f"bash {command}")
    return "run"


@server.resource("file:///notes/plan.txt")
def plan() -> str:
    return "the plan"


server.run(transport=transport)
