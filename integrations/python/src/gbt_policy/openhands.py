"""openhands-sdk under a policy: `guarded_conversation(agent, guard, workspace=...)` in place of Conversation.

An action is checked when the conversation emits it, which is before any action
of that answer runs, and blocked as a hook of the SDK would block it. All
actions of one answer are emitted before the first runs, so a second one would
be decided without knowing what the first did: it is blocked, and the model is
told to make its calls one at a time. The brief is added to what the model sees
by the condenser, and never stored.
"""

from __future__ import annotations

from typing import Any

from openhands.sdk import Agent, Conversation
from openhands.sdk.context.condenser.base import CondenserBase
from openhands.sdk.context.view import View
from openhands.sdk.event import ActionEvent, AgentErrorEvent, Event, MessageEvent, ObservationEvent, UserRejectObservation
from openhands.sdk.llm import Message, TextContent, content_to_str
from pydantic import PrivateAttr

from .guard import Guard, Permit

ONE_AT_A_TIME = "Not run: one call at a time. See what the call before it does, then make this one again."


class BriefCondenser(CondenserBase):
    """Adds the brief to what the model sees. `inner` condenses first."""

    inner: CondenserBase | None = None
    _guard: Guard | None = PrivateAttr(default=None)

    def condense(self, view: Any, agent_llm: Any = None) -> Any:
        seen = self.inner.condense(view, agent_llm=agent_llm) if self.inner else view
        brief = self._guard.brief() if self._guard else ""
        if not brief or not isinstance(seen, View):
            return seen
        said = MessageEvent(source="user", llm_message=Message(role="user", content=[TextContent(text=brief)]))
        return seen.model_copy(update={"events": [*seen.events, said]})

    def handles_condensation_requests(self) -> bool:
        return self.inner is not None and self.inner.handles_condensation_requests()


class Watch:
    """The callback of a conversation that blocks what the policy does not approve."""

    def __init__(self, guard: Guard) -> None:
        self.guard = guard
        self.state: Any = None  # the conversation's; without it nothing can be blocked, so nothing may run
        self._under_way: tuple[ActionEvent, Permit] | None = None

    def __call__(self, event: Event) -> None:
        if isinstance(event, ActionEvent) and event.action is not None:
            self._proposed(event)
        elif isinstance(event, ObservationEvent):
            text = "\n".join(content_to_str(event.observation.to_llm_content))
            self._came(event.tool_call_id, text, text if event.observation.is_error else "")
        elif isinstance(event, AgentErrorEvent):
            self._came(event.tool_call_id, "", event.error)
        elif isinstance(event, UserRejectObservation):
            self._came(event.tool_call_id, "", "", blocked=True)

    def _proposed(self, event: ActionEvent) -> None:
        if self.state is None:
            raise RuntimeError("gbt: the conversation is not under guard: use guarded_conversation")
        if self._under_way is not None:
            before, permit = self._under_way
            if before.llm_response_id == event.llm_response_id:
                self.state.block_action(event.id, ONE_AT_A_TIME)
                return
            # An answer later and no result: the run was broken off.
            self._under_way = None
            self.guard.end(permit, error="no result came")
        self.guard.words = "\n".join(c.text for c in event.thought)
        args = event.action.model_dump(mode="json", exclude={"kind"}, exclude_none=True)
        permit = self.guard.begin(event.tool_name, args)
        if permit.allowed:
            self._under_way = (event, permit)
        else:
            self.state.block_action(event.id, permit.message)

    def _came(self, call_id: str, output: str, error: str, blocked: bool = False) -> None:
        if self._under_way is not None and self._under_way[0].tool_call_id == call_id:
            permit = self._under_way[1]
            self._under_way = None
            self.guard.end(permit, output, error, blocked)


def guarded_conversation(agent: Agent, guard: Guard, **options: Any) -> Any:
    """A Conversation of the SDK that runs only what the policy approves."""
    condenser = BriefCondenser(inner=agent.condenser)
    condenser._guard = guard
    watch = Watch(guard)
    # First of the callbacks: one before it that fails must not keep it from seeing an action.
    options["callbacks"] = [watch, *options.get("callbacks", ())]
    conversation = Conversation(agent=agent.model_copy(update={"condenser": condenser}), **options)
    watch.state = conversation.state
    return conversation
