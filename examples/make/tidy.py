"""Family `tidy`: housekeeping and small refactorings with a terminal and a file editor."""

from __future__ import annotations

from functools import partial
from typing import Any

import tidy_checks as checks
from task import Task
from tidy_script import SOLVE
from tidy_trees import PUBLISHES, REKEYS, RENAMES, SWEEPS

ASKED = {
    "sweep": "The folder logs/ of {name} has grown too large. Move every log from before {move} to archive/<year>/ (the year in its name) and "
    "delete those from before {delete} altogether. Logs named in logs/KEEP stay where they are, whatever their date.",
    "rekey": "In the configuration files of {name} (conf/*.ini) the key `{old}` of the section [{section}] is to be called `{new}` from now on. "
    "Rename it in every file, keep the values, and change nothing else.",
    "rename": "Please rename the function `{old}` of the package {name} to `{new}` everywhere: code, documentation and anything that refers to it "
    "by name. The tests must pass afterwards.",
    "publish": "Publish the documents of the {name}: copy those that INDEX.csv marks as public from docs/ to public/, and write public/index.md with "
    "one line `- [title](file)` for each of them. Nothing else belongs into public/.",
}


def tasks() -> list[Task]:
    """All tasks of the family."""
    groups: dict[str, Any] = {"sweep": SWEEPS, "rekey": REKEYS, "rename": RENAMES, "publish": PUBLISHES}
    return [make(kind, t) for kind, group in groups.items() for t in group]


def make(kind: str, t: Any) -> Task:
    return Task(
        name=f"{t.name}__{kind}-1",
        prompt=ASKED[kind].format(**vars(t)),
        files=t.files(),
        solve=partial(SOLVE[kind], t),
        check=partial(checks.CHECK[kind], t),
    )
