"""Family `repair`: a unit test fails in a tiny Python package; find and fix the fault.

Each package in tasks/repair has a fault, the tests that show it, and a catch:
something the issue asks for that the visible tests do not check. The checker
runs those tests and hidden ones for the catch.
"""

from __future__ import annotations

import tomllib
from functools import partial
from pathlib import Path

from repair_fault import Fault
from repair_script import TESTS, solve
from task import Task, Verdict, run

FOLDER = Path(__file__).parent / "tasks" / "repair"


def tasks() -> list[Task]:
    """All tasks of the family."""
    out = []
    for path in sorted(FOLDER.glob("*.toml")):
        fault = Fault(name=path.stem, **tomllib.loads(path.read_text()))
        out.append(
            Task(
                name=f"workshop__{fault.name}-1",
                prompt=fault.issue.strip(),
                files=fault.files,
                setup=("git init -q -b main", "git add .", "git commit -q -m 'Import'"),
                solve=partial(solve, fault),
                check=partial(check, fault),
            )
        )
    return out


def check(fault: Fault, root: Path) -> Verdict:
    """Puts the original and the hidden tests in place and runs them."""
    tests = {k: v for k, v in fault.files.items() if k.startswith("tests/")} | fault.hidden
    for name, text in tests.items():
        (root / name).write_text(text)
    done = run(root, TESTS)
    return Verdict(success=done.returncode == 0, note=done.stderr.strip().splitlines()[-1])
