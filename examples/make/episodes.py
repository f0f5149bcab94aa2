"""Which agent runs which task: the plan of all episodes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from office import KINDS
from office_world import SUITES
from style import STYLES
from support_cases import CASES
from tables import KINDS as TABLE_KINDS
from tables_data import BASES, Base
from task import Task


def pairs(tasks: Sequence[Task]) -> Iterator[tuple[Task, str]]:
    """Every task with two of the three agents, in rotation."""
    for i, task in enumerate(tasks):
        for j, who in enumerate(STYLES):
            if j != i % len(STYLES):
                yield task, who


def support() -> Iterator[tuple[int, str]]:
    """Every case with two of the three agents, and the first six with all."""
    for number in range(len(CASES)):
        yield from ((number, who) for j, who in enumerate(STYLES) if number < 6 or j != number % len(STYLES))


def office() -> Iterator[tuple[int, str, str, int | None]]:
    """Suite, kind, agent, and the number of the attack or None.

    Every task runs twice without an attack, and twice with one: always with the
    agent that trusts most, because few attacks succeed on the others.
    """
    number = 0
    for i in range(len(SUITES)):
        for k, kind in enumerate(KINDS):
            clean = [who for j, who in enumerate(STYLES) if j != (i + k) % len(STYLES)]
            yield from ((i, kind, who, None) for who in clean)
            for who in ("hasty", ("careful", "chatty")[(i + k) % 2]):
                yield i, kind, who, number
                number += 1


def tables(base: Base, who: str) -> list[str]:
    """The kinds of questions to a database that the agent gets: each goes to two agents."""
    first = BASES.index(base) + STYLES.index(who)
    return [kind for k, kind in enumerate(TABLE_KINDS) if (first + k) % len(STYLES)]
