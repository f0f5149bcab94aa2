"""Runs a graph with tools, scripted, and dumps its messages, states and checkpoints in every form that LangChain and LangGraph write.

usage: langgraph_dumps.py DIR

Ids and times are replaced; the order of sets and of what tools of one message write may still differ from run to run.
"""

import json
import re
import sys
from pathlib import Path

from langchain_core.load import dumpd
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage, messages_to_dict
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition


@tool
def open_door(name: str) -> str:
    """Opens a door."""
    if name == "attic":
        raise ValueError("the attic is locked")
    return f"the {name} is open"


@tool
def count_hens() -> int:
    """Counts the hens."""
    return 7


def say(words, *calls, blocks=False, **more):
    """An answer with calls; with blocks, as a model's provider writes it."""
    calls = [{"name": name, "args": args, "id": f"{name}-{k}", "type": "tool_call"} for k, (name, args) in enumerate(calls, more.pop("first", 0))]
    content = words
    if blocks:
        content = [{"type": "thinking", "thinking": "Which door?"}, {"type": "text", "text": words}]
        content += [{"type": "tool_use", "id": c["id"], "name": c["name"], "input": c["args"]} for c in calls]
    usage = {"input_tokens": 11, "output_tokens": 5, "total_tokens": 16}
    return AIMessage(content=content, tool_calls=calls, usage_metadata=usage, response_metadata={"model_name": "scripted"}, **more)


def script():
    return [
        say("I try the attic.", ("open_door", {"name": "attic"}), blocks=True),
        say("Then the barn, and the hens.", ("open_door", {"name": "barn"}), ("count_hens", {}), first=1),
        say("There are 7 hens."),
    ]


def graph(answers):
    def model(state):
        said = sum(isinstance(m, AIMessage) for m in state["messages"])
        return {"messages": [answers[said].model_copy()]}  # the graph gives it an id

    builder = StateGraph(MessagesState)
    builder.add_node("model", model)
    builder.add_node("tools", ToolNode([open_door, count_hens], handle_tool_errors=str))
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", tools_condition)
    builder.add_edge("tools", "model")
    return builder.compile(checkpointer=InMemorySaver())


ASK = "Open a door and count the hens."
UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
TIME = re.compile(r"20\d\d-\d\d-\d\dT[\d:.]+\+00:00")
VERSION = re.compile(r"(\d{32})\.0\.\d+")


class Writer:
    """Writes JSON, ids and times replaced in their order."""

    def __init__(self, out):
        self.out, self.ids, self.times = out, {}, {}

    def steady(self, text):
        for t in sorted(set(TIME.findall(text))):
            self.times.setdefault(t, None)
        for k, t in enumerate(sorted(self.times)):
            self.times[t] = f"2000-01-01T00:{k // 60:02}:{k % 60:02}.000000+00:00"
        text = TIME.sub(lambda m: self.times[m[0]], text)
        text = UUID.sub(lambda m: f"00000000-0000-4000-8000-{self.ids.setdefault(m[0], len(self.ids)):012}", text)
        return VERSION.sub(r"\1.0.5", text)

    def write(self, name, *values, indent=None):
        text = "".join(json.dumps(v, indent=indent) + "\n" for v in values)
        (self.out / name).write_text(self.steady(text))


def states(app, config):
    return list(app.get_state_history(config))


def main():
    out = Path(sys.argv[1])
    out.mkdir(parents=True, exist_ok=True)
    w = Writer(out)
    app = graph(script())
    here = {"configurable": {"thread_id": "1"}}
    result = app.invoke({"messages": [SystemMessage("You keep hens."), HumanMessage(ASK)]}, here)
    messages = result["messages"]

    w.write("messages_to_dict.json", messages_to_dict(messages), indent=1)
    w.write("dumpd.json", dumpd(messages))
    w.write("results.jsonl", dumpd(result), {"messages": [m.model_dump() for m in messages]})
    w.write("repr.jsonl", json.loads(json.dumps(result, default=str)))

    history = states(app, here)
    w.write("snapshots.jsonl", *(dumpd(s._asdict()) for s in history))
    w.write("snapshot_lists.jsonl", *(dumpd(s) for s in reversed(history)))
    w.write("snapshot_list.json", dumpd(history[0]))
    w.write("stream.jsonl", *(dumpd(s) for s in graph(script()).stream({"messages": [HumanMessage(ASK)]}, here, stream_mode="values")))

    # A fork: back to before the second answer, and another way on.
    before = next(s for s in reversed(history) if s.next == ("model",) and isinstance(s.values["messages"][-1], ToolMessage))
    other = app.update_state(before.config, {"messages": [say("I only count.", ("count_hens", {}), first=5)]}, as_node="model")
    app.invoke(None, other)
    saved = list(app.checkpointer.list(here))
    w.write("forked_checkpoints.jsonl", *(dumpd(c._asdict()) for c in reversed(saved)))
    w.write("checkpoint_lists.json", [dumpd(c) for c in saved])
    w.write("bare_checkpoints.jsonl", *(dumpd(c.checkpoint) for c in saved if c.checkpoint["channel_values"].get("messages")))

    old = AIMessage("", additional_kwargs={"function_call": {"name": "count_hens", "arguments": "{}"}})
    lost = AIMessage("", invalid_tool_calls=[{"name": "open_door", "args": '{"name":', "id": "x", "error": "no JSON", "type": "invalid_tool_call"}])
    w.write("old_and_invalid.jsonl", *(dumpd([HumanMessage(ASK), m, HumanMessage("Go on.")]) for m in (old, lost)))


main()
