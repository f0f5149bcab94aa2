"""The loop round an agent that makes tool calls, for hosts that have no planning step of their own.

A call is checked before it runs. If it leaves the macro under way it is also
the proposal for the next one, and the brief that comes back is shown to the
model with its next request. Proposing every call instead would begin a macro
anew at each of its calls, and the run would leave the policy's tree.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from .client import Client, Session
from .errors import GbtError
from .schema import Arguments, Call, Decision, Env, Move, Outcome, Result, TaskRequest

R = TypeVar("R")

# What is told of one result; the rest of a longer one, from the middle, is left
# out. The server's default limit of a body is 8 MiB, and a character may take six bytes of JSON.
MAX_OUTPUT = 1 << 20

Ask = Callable[[str, Arguments, Decision], bool]


@dataclass(frozen=True, slots=True)
class Permit:
    """The answer to `begin`: whether the call may run, and if not, what the agent is told."""

    allowed: bool
    message: str
    call: Call
    decision: Decision | None = None


class Guard:
    """Guards one run of one task. Calls are dealt with one at a time, from whatever thread.

    `ask` is called where the policy wants the user's consent and says what the
    user answered; without it such calls do not run. With `steer` a call that
    the policy wants replaced (verdict recover) is not run and the agent is told
    what to do instead; without it the agent is only told. If the server can't
    be asked, nothing runs.
    """

    def __init__(
        self, client: Client, task: str | TaskRequest, env: Env | None = None, *, ask: Ask | None = None, steer: bool = True
    ) -> None:
        self.session: Session = client.start(task, env)
        self.env = env
        self.move: Move | None = None
        self.words = ""  # what the model said last; the wrappers set it
        self.stopped: list[Permit] = []  # calls that did not run
        self._ask = ask
        self._steer = steer
        self._broken = ""
        self._turn = threading.Lock()

    def brief(self) -> str:
        """What to show the model with its next request; empty before the first move."""
        move = self.move
        if move is None:
            return ""
        text = move.brief_text
        if move.verdict == "stall":
            return f"{text}\nThe policy sees no way on ({move.reason}). Stop, or ask the user."
        if move.macro is not None and move.verdict != "recover":
            text += "\nIf this step is done, go on with the next one."
        return text

    def run(self, tool: str, args: Arguments, execute: Callable[[], R], text: Callable[[R], str] = str) -> R | Permit:
        """Runs a call if it may run; otherwise gives the Permit that says why not."""
        permit = self.begin(tool, args)
        if not permit.allowed:
            return permit
        try:
            value = execute()
            output = text(value)
        except BaseException as e:
            self.end(permit, error=repr(e))
            raise
        self.end(permit, output)
        return value

    def begin(self, tool: str, args: Arguments, env: Env | None = None) -> Permit:
        """Asks about a call. After a permit that allows it `end` must follow; until then other calls wait."""
        self._turn.acquire()
        permit = Permit(False, "", {"tool": tool})
        try:
            permit = self._decide(tool, args, env)
        finally:
            if not permit.allowed:
                self.stopped.append(permit)
                self._turn.release()
        return permit

    def end(self, permit: Permit, output: str = "", error: str = "", blocked: bool = False) -> None:
        """Tells what came of a call that `begin` allowed. From a failure on nothing runs any more."""
        try:
            self._observe(permit.call, {"output": _bounded(output), "error": _bounded(error), "blocked": blocked})
        except GbtError as e:
            self._broken = f"the policy server lost track of this run: {e}"
        finally:
            self._turn.release()

    def finish(self) -> Outcome:
        """Claims to be done."""
        return self.session.finish()

    def _decide(self, tool: str, args: Arguments, env: Env | None) -> Permit:
        call: Call = {"tool": tool, "args": args}
        if env is not None:
            call["env"] = env
        if self._broken:
            return Permit(False, f"Not run: {self._broken}", call)
        try:
            return self._checked(call)
        except (GbtError, ValueError) as e:
            return Permit(False, f"Not run: the policy could not be asked: {e}", call)

    def _checked(self, call: Call) -> Permit:
        decision = self.session.check(call)
        agreed = self._agreed(call, decision)
        if (decision.allowed or agreed) and (self.move is None or not decision.in_macro):
            move = self.move = self.session.propose({"text": self.words, "tool": call["tool"], "args": call["args"]})
            asked, decision = decision, self.session.check(call)  # the proposal may have ended the run
            if self._steer and move.verdict == "recover" and not decision.in_macro:
                return self._withhold(call, f"Not run. {move.brief_text}", decision)
            # The history is new, and with it the decision's id; what the user was asked is not, or is asked anew.
            if (decision.reasons, decision.effects) != (asked.reasons, asked.effects):
                agreed = self._agreed(call, decision)
        if agreed and decision.confirmation:
            self.session.confirm(decision.confirmation, True)
            decision = self.session.check(call)
        if decision.allowed:
            return Permit(True, "", call, decision)
        return self._withhold(call, f"Not run: {decision.advice}", decision)

    def _withhold(self, call: Call, message: str, decision: Decision) -> Permit:
        self._observe(call, {"blocked": True})
        return Permit(False, message, call, decision)

    def _agreed(self, call: Call, decision: Decision) -> bool:
        """Asks the user where the policy wants to know."""
        if self._ask is None or decision.disposition != "approved_with_constraints":
            return False
        if self._ask(call["tool"], call["args"], decision) is True:
            return True
        if decision.confirmation:
            self.session.confirm(decision.confirmation, False)
        return False

    def _observe(self, call: Call, result: Result) -> None:
        self.session.observe(call, result)


def _bounded(text: str) -> str:
    text = text.encode("utf-8", "replace").decode()
    if len(text) <= MAX_OUTPUT:
        return text
    half = MAX_OUTPUT // 2
    return f"{text[:half]}\n[{len(text) - 2 * half} characters left out]\n{text[-half:]}"


def as_text(value: Any) -> str:
    """A result as text: strings as they are, everything else as JSON where it can be."""
    if isinstance(value, str):
        return value
    try:
        return json.dumps(value, ensure_ascii=False, default=str)
    except (TypeError, ValueError):
        return str(value)
