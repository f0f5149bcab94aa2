"""What a scripted model says: turns, made by a generator that reads real results.

A script is a generator. It yields a Turn (words and calls) and receives the
results of the calls, as text, in order. It may look at them and decide, so a
failing command leads to a retry only where the command really failed.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """One tool call."""

    tool: str
    args: dict[str, Any]


@dataclass(frozen=True)
class Turn:
    """What the model says in one turn: words, then calls (none ends the run)."""

    text: str
    calls: tuple[Call, ...] = ()


Script = Generator[Turn, list[str], None]


def turn(text: str, tool: str, **args: Any) -> Turn:
    """A turn with one call, by far the most frequent kind."""
    return Turn(text, (Call(tool, args),))
