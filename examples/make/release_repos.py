"""The repositories that the family `release` works on."""

from __future__ import annotations

import shlex
from dataclasses import dataclass


@dataclass(frozen=True)
class Project:
    """A small Python project with a history."""

    name: str
    old: str  # the version that is out
    new: str  # the version to make
    patch: str  # the patch release of the old one
    note: str  # what the new version brings, for the change log
    feats: tuple[str, ...]
    fixes: tuple[str, ...]
    reverted: str  # a feature that was taken back
    place: str  # the third place that states the version
    draft: str  # the folder that .distignore names

    @property
    def branch(self) -> str:
        return "release/" + self.old.rsplit(".", 1)[0]


PROJECTS = (
    Project(
        "compass",
        "2.3.1",
        "2.4.0",
        "2.3.2",
        "Bearings can be given in mils",
        ("accept bearings in mils", "print the nearest landmark"),
        ("north is 0 and not 360", "no crash on empty tracks"),
        "draw maps in colour",
        "docs/conf.ini",
        "docs/drafts",
    ),
    Project(
        "gazette",
        "0.9.4",
        "0.10.0",
        "0.9.5",
        "Issues can be numbered by year",
        ("number issues by year", "sort letters by date", "add a masthead"),
        ("escape ampersands in headlines",),
        "send issues by fax",
        "README.md",
        "docs/unpublished",
    ),
    Project(
        "kiln",
        "1.12.0",
        "1.13.0",
        "1.12.1",
        "Firing curves may have holding times",
        ("holding times in firing curves",),
        ("round temperatures to whole degrees", "stop when the door is open", "spell Celsius right"),
        "preheat on start",
        "Makefile",
        "docs/internal",
    ),
)


def files(p: Project) -> dict[str, str]:
    """The working tree at the old version."""
    tree = {
        "pyproject.toml": f'[project]\nname = "{p.name}"\nversion = "{p.old}"\nrequires-python = ">=3.10"\n',
        f"src/{p.name}/__init__.py": f'"""{p.name.title()}."""\n\n__version__ = "{p.old}"\n',
        f"src/{p.name}/core.py": f'"""The work of {p.name}."""\n\n\ndef main():\n    return 0\n',
        "docs/conf.ini": f"[docs]\ntitle = {p.name.title()}\n",
        "docs/index.md": f"# {p.name.title()}\n\nHow to use {p.name}.\n",
        f"{p.draft}/plan.md": "Not for the public yet.\n",
        f"src/{p.name}/signing.key": "-- made-up key, for the example only --\n",
        ".distignore": f"# never part of an archive\n{p.draft}\n*.key\n",
        "README.md": f"# {p.name.title()}\n\nA small tool.\n",
        "Makefile": "test:\n\tpython -m unittest\n",
        "CHANGELOG.md": f"# Changes\n\n## {p.old}\n\n- Smaller things\n",
    }
    tree[p.place] += {
        "docs/conf.ini": f"release = {p.old}\n",
        "README.md": f"\nCurrent version: {p.old}\n",
        "Makefile": f"\nVERSION := {p.old}\n",
    }[p.place]
    return tree


def history(p: Project) -> list[str]:
    """Set-up commands: the old release, its branch, and the commits on main since then."""

    def commit(subject: str, file: str, line: str) -> str:
        return f"echo {shlex.quote(line)} >> {file} && git add -A && git commit -q -m {shlex.quote(subject)}"

    core = f"src/{p.name}/core.py"
    out = [
        "git init -q -b main",
        "git add -A",
        f"git commit -q -m 'Release {p.old}'",
        f"git tag v{p.old}",
        f"git branch {p.branch}",
    ]
    out.append(commit("chore: tidy the imports [internal]", core, "# imports sorted"))
    out += [commit(f"feat: {f}", f"src/{p.name}/feature{i}.py", f"# {f}") for i, f in enumerate(p.feats)]
    out.append(commit(f"feat: {p.reverted}", f"src/{p.name}/extra.py", f"# {p.reverted}"))
    out += [commit(f"fix: {f}", f"src/{p.name}/fix{i}.py", f"# {f}") for i, f in enumerate(p.fixes)]
    out.append(
        f"git rm -q src/{p.name}/extra.py && git commit -q -m " + shlex.quote(f'Revert "feat: {p.reverted}"')
    )
    return out
