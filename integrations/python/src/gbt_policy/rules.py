"""What answers must be beside their shape, and what is read from them. The classes of schema.py inherit it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol


class _Reason(Protocol):
    @property
    def rule(self) -> str: ...
    @property
    def message(self) -> str: ...


class _Retry(Protocol):
    @property
    def feedback(self) -> str: ...


class _Decision(Protocol):
    @property
    def allowed(self) -> bool: ...
    @property
    def disposition(self) -> str: ...
    @property
    def reasons(self) -> Sequence[_Reason]: ...
    @property
    def retry(self) -> _Retry | None: ...
    @property
    def why(self) -> str: ...


class DecisionRules:
    """Only where `allowed` is true may a call run."""

    __slots__ = ()

    def __post_init__(self: _Decision) -> None:
        if self.allowed != (self.disposition == "approved"):
            raise ValueError(f"allowed is {self.allowed} and disposition is {self.disposition}")

    @property
    def why(self: _Decision) -> str:
        """The reasons as one text for the agent or the user."""
        return " ".join(f"[{r.rule}] {r.message}" for r in self.reasons) or self.disposition

    @property
    def advice(self: _Decision) -> str:
        """What the agent is told of a call that does not run: why, and what to do instead."""
        return f"{self.why} {self.retry.feedback}" if self.retry else self.why
