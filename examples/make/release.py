"""Family `release`: bump a version, build an archive, write notes, backport a fix.

Four kinds of work on three repositories. The catches: a third place that states
the version, a list of what must not be in an archive, a feature that was
reverted, and a version that has to be set on a branch too.
"""

from __future__ import annotations

from functools import partial

import release_checks as checks
from release_repos import PROJECTS, files, history
from release_script import SOLVE
from task import Task

WORK = {
    "bump": "Prepare release {new} of {name}. Set the version to {new} wherever the repository states the current one "
    "(it is {old} now; leave old sections of the change log alone), put a section '## {new}' with the line '- {note}' on top of "
    "CHANGELOG.md, commit everything on main and tag the commit v{new}.",
    "archive": "Build the source archive of {name} {old}: dist/{name}-{old}.tar.gz, all paths in it below {name}-{old}/, made of src, docs, "
    "README.md and CHANGELOG.md. Leave out whatever .distignore names. Make it reproducible (sorted names, owner 0, mtime "
    "2026-01-05, gzip -n), and write its checksum to dist/SHA256SUMS in the format of sha256sum.",
    "notes": "Write the release notes of {name} {new} to NOTES-{new}.md: a section '## Features' and a section '## Fixes', one '- ' line for "
    "each change since v{old} with the commit subject without its prefix, in the order of the commits. Leave out chores, "
    "anything marked [internal], and features that were reverted again.",
    "backport": "Users of {name} {old} need the fix '{fix}' that is already on main. Cherry-pick that commit to the branch {branch}, set the "
    "version there to {patch} in pyproject.toml and src/{name}/__init__.py, commit, and tag the result v{patch}. main must not change.",
}


def tasks() -> list[Task]:
    """All tasks of the family."""
    out = []
    for p in PROJECTS:
        for n, (kind, text) in enumerate(WORK.items(), 1):
            out.append(
                Task(
                    name=f"workshop__{p.name}-{n}",
                    prompt=text.format(fix=p.fixes[0], branch=p.branch, **vars(p)),
                    files=files(p),
                    setup=history(p),
                    solve=partial(SOLVE[kind], p),
                    check=partial(checks.CHECK[kind], p),
                )
            )
    return out
