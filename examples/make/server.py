"""A chat completions server on loopback that plays a script.

Every agent here talks to it through its own HTTP client, as it would to a real
model, so request building and tool-call parsing are the agents' own. It plays
one script at a time: the runners run one episode after another.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from script import Script, Turn

STAMP = 1767225600  # 2026-01-01T00:00:00Z, the time that every answer carries


class Player:
    """Feeds the results in a request to the script and words the next answer."""

    def __init__(self, name: str, script: Script) -> None:
        self.name = name
        self.script = script
        self.started = False
        self.pending: list[str] = []
        self.turns = 0
        self.calls = 0

    def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        turn = self.next(request["messages"])
        self.turns += 1
        self.pending = []
        message: dict[str, Any] = {"role": "assistant", "content": turn.text}
        if turn.calls:
            message["tool_calls"] = [self.call(c.tool, c.args) for c in turn.calls]
        return {
            "id": f"chatcmpl-{self.name}-{self.turns:03d}",
            "object": "chat.completion",
            "created": STAMP,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls" if turn.calls else "stop"}],
            "usage": usage(request["messages"], message),
        }

    def next(self, messages: list[dict[str, Any]]) -> Turn:
        """The script's next turn; an empty one when the script has ended."""
        try:
            if not self.started:
                self.started = True
                return next(self.script)
            return self.script.send(self.results(messages))
        except StopIteration:
            return Turn("I have nothing further to do.")

    def results(self, messages: list[dict[str, Any]]) -> list[str]:
        """The results of the last turn's calls; the user's words if it had none."""
        if not self.pending:
            return [plain(messages[-1].get("content"))]
        found = {m["tool_call_id"]: plain(m.get("content")) for m in messages if m["role"] == "tool"}
        return [found.get(i, "") for i in self.pending]

    def call(self, tool: str, args: dict[str, Any]) -> dict[str, Any]:
        self.calls += 1
        ident = f"call_{self.name}_{self.calls:03d}".replace("-", "_")
        self.pending.append(ident)
        return {"id": ident, "type": "function", "function": {"name": tool, "arguments": json.dumps(args)}}


def plain(content: Any) -> str:
    """The text of a message's content."""
    if isinstance(content, list):
        return "\n".join(part.get("text", "") for part in content)
    return content or ""


def usage(messages: list[dict[str, Any]], answer: dict[str, Any]) -> dict[str, int]:
    """Words in place of tokens: no path or duration changes their number."""
    asked = sum(len(plain(m.get("content")).split()) for m in messages)
    said = len(answer["content"].split()) + sum(
        len(c["function"]["arguments"].split()) for c in answer.get("tool_calls", [])
    )
    return {"prompt_tokens": asked, "completion_tokens": said, "total_tokens": asked + said}


class ScriptServer:
    """Serves /v1/chat/completions for the script that is playing.

    `delay` is how long it thinks before an answer, in seconds, for agents whose
    tools need a moment to settle.
    """

    def __init__(self, delay: float = 0) -> None:
        self.player: Player | None = None
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                if server.player is None:
                    self.send_error(503, "no script is playing")
                    return
                time.sleep(delay)
                data = json.dumps(server.player.answer(body)).encode()
                self.send_response(200)
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, format: str, *args: Any) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_port}/v1"

    @contextmanager
    def play(self, name: str, script: Script) -> Iterator[None]:
        """Answers from the script while the context lasts."""
        self.player = Player(name, script)
        try:
            yield
        finally:
            self.player = None
