"""LangGraph under a policy: `guarded_tools(tools, guard)` in place of ToolNode, `brief_hook(guard)` before the model.

Calls of one message run one after the other, so that each is decided on what
the one before it did. The brief is shown to the model and never stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, SystemMessage, ToolMessage
from langchain_core.tools import BaseTool
from langgraph.errors import GraphBubbleUp
from langgraph.prebuilt import ToolNode
from langgraph.prebuilt.tool_node import ToolCallRequest
from langgraph.types import Command

from .guard import Guard, Permit, as_text

Answer = ToolMessage | Command[Any]


def guarded_tools(tools: Sequence[BaseTool | Callable[..., Any]], guard: Guard, **options: Any) -> ToolNode:
    """A ToolNode that runs only what the policy approves."""
    return ToolNode(tools, wrap_tool_call=wrap(guard), awrap_tool_call=awrap(guard), **options)


def wrap(guard: Guard) -> Callable[[ToolCallRequest, Callable[[ToolCallRequest], Answer]], Answer]:
    """The wrap_tool_call of a ToolNode or of a middleware."""

    def wrap_tool_call(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Answer]) -> Answer:
        permit = _begin(guard, request)
        if not permit.allowed:
            return _refusal(request, permit)
        try:
            answer = execute(request)
        except BaseException as e:
            _failed(guard, permit, e)
            raise
        _end(guard, permit, answer)
        return answer

    return wrap_tool_call


def awrap(guard: Guard) -> Callable[[ToolCallRequest, Callable[[ToolCallRequest], Awaitable[Answer]]], Awaitable[Answer]]:
    """The awrap_tool_call of a ToolNode or of a middleware."""

    async def awrap_tool_call(request: ToolCallRequest, execute: Callable[[ToolCallRequest], Awaitable[Answer]]) -> Answer:
        # Shielded: a cancelled caller must not leave a decision that nobody ends.
        asked = asyncio.ensure_future(asyncio.to_thread(_begin, guard, request))
        try:
            permit = await asyncio.shield(asked)
        except asyncio.CancelledError:
            asked.add_done_callback(lambda done: _abandon(guard, done))
            raise
        if not permit.allowed:
            return _refusal(request, permit)
        try:
            answer = await execute(request)
        except BaseException as e:
            _failed(guard, permit, e)
            raise
        await asyncio.shield(asyncio.to_thread(_end, guard, permit, answer))
        return answer

    return awrap_tool_call


def brief_hook(guard: Guard) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The pre_model_hook of create_react_agent; in a graph of your own, `with_brief` does the same."""

    def pre_model_hook(state: dict[str, Any]) -> dict[str, Any]:
        return {"llm_input_messages": with_brief(state["messages"], guard)}

    return pre_model_hook


def with_brief(messages: Sequence[AnyMessage], guard: Guard) -> list[AnyMessage]:
    """The messages with the brief at their end."""
    brief = guard.brief()
    return [*messages, SystemMessage(brief)] if brief else list(messages)


def _begin(guard: Guard, request: ToolCallRequest) -> Permit:
    words = _words(request.state)
    if words:
        guard.words = words
    return guard.begin(request.tool_call["name"], request.tool_call["args"])


def _words(state: Any) -> str:
    messages = state.get("messages", []) if isinstance(state, dict) else state if isinstance(state, list) else getattr(state, "messages", [])
    last = messages[-1] if messages else None
    return last.text if isinstance(last, AIMessage) else ""


def _refusal(request: ToolCallRequest, permit: Permit) -> ToolMessage:
    call = request.tool_call
    return ToolMessage(permit.message, name=call["name"], tool_call_id=call["id"] or "", status="error")


def _end(guard: Guard, permit: Permit, answer: Answer) -> None:
    if isinstance(answer, ToolMessage):
        text = as_text(answer.content)
        guard.end(permit, text, text if answer.status == "error" else "")
    else:
        guard.end(permit, as_text(answer.update))


def _failed(guard: Guard, permit: Permit, e: BaseException) -> None:
    # An interrupt asks somebody and runs the tool again: told as not run, or its result would be counted twice.
    guard.end(permit, error="" if isinstance(e, GraphBubbleUp) else repr(e), blocked=isinstance(e, GraphBubbleUp))


def _abandon(guard: Guard, done: asyncio.Future[Permit]) -> None:
    if not done.cancelled() and done.exception() is None and done.result().allowed:
        guard.end(done.result(), blocked=True)
