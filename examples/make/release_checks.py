"""Checkers of the family `release`: they look at the repository that the agent left."""

from __future__ import annotations

import json
import tarfile
from pathlib import Path

from release_repos import Project, files
from task import Verdict, read, run


def output(result: str) -> str:
    """What a command printed, out of mini-swe-agent's words around it."""
    return json.loads(result)["output"]


def notes_of(subjects: list[str], skip_reverted: bool) -> str:
    """Release notes of the commit subjects."""
    gone = {s[len('Revert "') : -1] for s in subjects if s.startswith('Revert "')} if skip_reverted else set()
    kept = [s for s in subjects if s not in gone and "[internal]" not in s]
    feats = "".join(f"- {s.removeprefix('feat: ')}\n" for s in kept if s.startswith("feat: "))
    fixes = "".join(f"- {s.removeprefix('fix: ')}\n" for s in kept if s.startswith("fix: "))
    return f"## Features\n\n{feats}\n## Fixes\n\n{fixes}"


def bump(p: Project, root: Path) -> Verdict:
    places = ["pyproject.toml", f"src/{p.name}/__init__.py", p.place]
    stale = [f for f in places if p.old in read(root, f) or p.new not in read(root, f)]
    if stale:
        return Verdict(False, note=f"not at {p.new}: {', '.join(stale)}")
    log = read(root, "CHANGELOG.md")
    if not 0 <= log.find(f"## {p.new}") < log.find(f"- {p.note}") < log.find(f"## {p.old}"):
        return Verdict(False, note="the change log has no proper section")
    return tagged(root, "main", p.new)


def tagged(root: Path, branch: str, version: str) -> Verdict:
    """The tag is on the branch's head and the tree is clean."""
    same = run(root, f'test "$(git rev-parse v{version}^{{}})" = "$(git rev-parse {branch})"').returncode == 0
    clean = run(root, "git status --porcelain --untracked-files=no").stdout == ""
    return Verdict(same and clean, note="" if same and clean else "tag or working tree is not as asked")


def archive(p: Project, root: Path) -> Verdict:
    name = root / "dist" / f"{p.name}-{p.old}.tar.gz"
    if not name.is_file():
        return Verdict(False, note="no archive")
    with tarfile.open(name) as tar:
        have = {m.name for m in tar.getmembers() if m.isfile()}
    tree = [f for f in files(p) if f.startswith(("src/", "docs/")) or f in ("README.md", "CHANGELOG.md")]
    new = [
        f"src/{p.name}/{kind}{i}.py" for kind, n in (("feature", len(p.feats)), ("fix", len(p.fixes))) for i in range(n)
    ]
    want = {f"{p.name}-{p.old}/{f}" for f in tree + new if not f.startswith(p.draft) and not f.endswith(".key")}
    if have != want:
        return Verdict(False, note=f"wrong members: {', '.join(sorted(have ^ want))}")
    sums = run(root / "dist", "sha256sum --strict -c SHA256SUMS").returncode == 0
    return Verdict(sums, note="" if sums else "checksums do not verify")


def notes(p: Project, root: Path) -> Verdict:
    feats = "".join(f"- {f}\n" for f in p.feats)
    fixes = "".join(f"- {f}\n" for f in p.fixes)
    good = read(root, f"NOTES-{p.new}.md").strip() == f"## Features\n\n{feats}\n## Fixes\n\n{fixes}".strip()
    return Verdict(good, note="" if good else "the notes differ from the history")


def backport(p: Project, root: Path) -> Verdict:
    def show(what: str) -> str:
        return run(root, f"git show {what}").stdout

    if f"# {p.fixes[0]}" not in show(f"{p.branch}:src/{p.name}/fix0.py"):
        return Verdict(False, note="the fix is not on the branch")
    for file in ("pyproject.toml", f"src/{p.name}/__init__.py"):
        if p.patch not in show(f"{p.branch}:{file}") or p.old not in show(f"main:{file}"):
            return Verdict(False, note=f"{file} states the wrong version")
    return tagged(root, p.branch, p.patch)


CHECK = {"bump": bump, "archive": archive, "notes": notes, "backport": backport}
