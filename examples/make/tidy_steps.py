"""Steps that the scripts of the family `tidy` share."""

from __future__ import annotations

from pathlib import Path

from script import Script, Turn, turn
from style import Style


def sh(text: str, command: str) -> Turn:
    return turn(text, "terminal", command=command)


def view(text: str, path: Path) -> Turn:
    return turn(text, "file_editor", command="view", path=str(path))


def replace(text: str, path: Path, old: str, new: str) -> Turn:
    return turn(text, "file_editor", command="str_replace", path=str(path), old_str=old, new_str=new)


def create(text: str, path: Path, content: str) -> Turn:
    return turn(text, "file_editor", command="create", path=str(path), file_text=content)


def done(s: Style, *words: str) -> Script:
    yield turn(s.say(*words) or words[0], "finish", message=s.pick(*words))


def look(s: Style, root: Path, name: str) -> Script:
    """An overview, by terminal or editor."""
    words = s.say(
        "Let me see what is in this folder.",
        f"I begin with an overview of the {name} folder.",
        "First I want to know which files there are.",
    )
    yield view(words, root) if s.rng.random() < 0.4 else sh(words, s.pick("ls -R", "find . -type f | sort", "ls -F"))
    if s.does("strays"):
        yield sh(
            s.say(
                "Is this under version control? Then I could undo mistakes.",
                "Checking whether there is a git history to fall back on.",
            ),
            "git status",
        )
    if s.does("explores"):
        yield sh(
            s.say("Which tools do I have here?", "Looking at the top of the files for hints."),
            s.pick("head -5 *.md 2>/dev/null", "cat README.md"),
        )
