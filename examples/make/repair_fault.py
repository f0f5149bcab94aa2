"""A fault to repair, as its task file describes it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """What a task file says."""

    name: str
    module: str
    issue: str
    cause: str
    catch: str
    probe: str
    fix: dict[str, str]
    files: dict[str, str]
    hidden: dict[str, str]

    @property
    def test(self) -> str:
        return next(name for name in self.files if name.startswith("tests/"))
