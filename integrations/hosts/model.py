"""A scripted model: it makes the given calls one after the other, then says that it is done.

It speaks the protocols of Anthropic's messages, OpenAI's responses and chat completions, and Gemini's generateContent.
"""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

DONE = "All done."


class Model:
    """calls: (tool, arguments), in order. url: where it listens. answered: how many calls have come back with a result.

    until: a number of calls after which it says that it is done until a request holds the text.
    """

    def __init__(self, calls, until=(-1, "")):
        self.answered = 0

        class Handler(_Handler):
            script, pause, model = calls, until, self

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self):
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()


class _Handler(BaseHTTPRequestHandler):
    script, model = [], None
    pause = (-1, "")
    asked = ""

    def log_message(self, *_):
        pass

    def do_GET(self):
        self._json({"object": "list", "data": [{"id": "scripted", "object": "model"}], "models": []})

    def do_POST(self):
        self.asked = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode() or "{}"
        body = json.loads(self.asked)
        path = self.path.split("?")[0]
        if path.endswith("/messages"):
            self._anthropic(body)
        elif path.endswith("/responses"):
            self._responses(body)
        elif path.endswith("/chat/completions"):
            self._chat(body)
        elif "enerateContent" in path:
            self._gemini(body, "stream" in path)
        else:
            self._json({"input_tokens": 1, "totalTokens": 1})

    def _next(self, answered, offered):
        """The call after those that were answered. None at the end, and for requests that offer none of its tools (titles, summaries)."""
        self.model.answered = max(self.model.answered, answered)
        if answered == self.pause[0] and self.pause[1] not in self.asked:
            return None
        if answered < len(self.script) and self.script[answered][0] in offered:
            return self.script[answered]
        return None

    def _anthropic(self, body):
        parts = [p for m in body["messages"] if isinstance(m["content"], list) for p in m["content"]]
        answered = sum(p.get("type") == "tool_result" for p in parts)
        call = self._next(answered, [t["name"] for t in body.get("tools", [])])
        if call:
            stop, block = "tool_use", {"type": "tool_use", "id": f"toolu_{answered}", "name": call[0]}
            opened, delta = {**block, "input": {}}, {"type": "input_json_delta", "partial_json": json.dumps(call[1])}
            whole = {**block, "input": call[1]}
        else:
            stop, opened, delta = "end_turn", {"type": "text", "text": ""}, {"type": "text_delta", "text": DONE}
            whole = {"type": "text", "text": DONE}
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": "scripted", "stop_sequence": None}
        message["usage"] = {"input_tokens": 1, "output_tokens": 1}
        if not body.get("stream"):
            return self._json({**message, "content": [whole], "stop_reason": stop})
        self._events(
            {"type": "message_start", "message": {**message, "content": [], "stop_reason": None}},
            {"type": "content_block_start", "index": 0, "content_block": opened},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 1}},
            {"type": "message_stop"},
        )

    def _responses(self, body):
        answered = sum(i.get("type", "").endswith("_output") for i in body["input"])
        call = self._next(answered, [t.get("name") for t in body.get("tools", [])])
        if call:
            item = {"type": "function_call", "id": f"fc_{answered}", "call_id": f"call_{answered}", "name": call[0]}
            item |= {"arguments": json.dumps(call[1]), "status": "completed"}
        else:
            text = {"type": "output_text", "text": DONE, "annotations": []}
            item = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [text]}
        usage = {"input_tokens": 1, "output_tokens": 1, "total_tokens": 2}
        usage |= {"input_tokens_details": {"cached_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}}
        response = {"id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": usage}
        self._events(
            {"type": "response.created", "response": {**response, "status": "in_progress", "output": []}},
            {"type": "response.output_item.done", "output_index": 0, "item": item},
            {"type": "response.completed", "response": response},
        )

    def _chat(self, body):
        answered = sum(m["role"] == "tool" for m in body["messages"])
        call = self._next(answered, [t["function"]["name"] for t in body.get("tools") or []])
        if call:
            function = {"name": call[0], "arguments": json.dumps(call[1])}
            said = {"role": "assistant", "tool_calls": [{"index": 0, "id": f"call_{answered}", "type": "function", "function": function}]}
            finish = "tool_calls"
        else:
            said, finish = {"role": "assistant", "content": DONE}, "stop"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        answer = {"id": "c1", "created": 1, "model": "scripted", "usage": usage}
        if not body.get("stream"):
            return self._json({**answer, "object": "chat.completion", "choices": [{"index": 0, "message": said, "finish_reason": finish}]})
        chunk = {**answer, "object": "chat.completion.chunk"}
        self._events(
            {**chunk, "choices": [{"index": 0, "delta": said, "finish_reason": None}]},
            {**chunk, "choices": [{"index": 0, "delta": {}, "finish_reason": finish}]},
            "[DONE]",
        )

    def _gemini(self, body, stream):
        answered = sum("functionResponse" in p for c in body["contents"] for p in c.get("parts", []))
        call = self._next(answered, [f["name"] for t in body.get("tools") or [] for f in t.get("functionDeclarations", [])])
        part = {"functionCall": {"name": call[0], "args": call[1]}} if call else {"text": DONE}
        answer = {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP", "index": 0}]}
        answer |= {"usageMetadata": {"promptTokenCount": 1, "candidatesTokenCount": 1, "totalTokenCount": 2}, "modelVersion": "scripted"}
        if stream:
            self._events(answer)
        else:
            self._json(answer)

    def _json(self, value):
        self._reply("application/json", json.dumps(value))

    def _events(self, *events):
        out = ""
        for e in events:
            if isinstance(e, dict) and "type" in e:
                out += f"event: {e['type']}\n"
            out += f"data: {e if isinstance(e, str) else json.dumps(e)}\n\n"
        self._reply("text/event-stream", out)

    def _reply(self, kind, text):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.end_headers()
        self.wfile.write(text.encode())
