"""Steps that the scripts of the family `release` share."""

from __future__ import annotations

from release_repos import Project
from repair_script import SUBMIT, bash
from script import Script
from style import Style


def look(s: Style, p: Project) -> Script:
    """What most runs begin with, in varying order."""
    steps = [
        (
            s.say(
                "Let me see the state of the repository.",
                "First the branch, the tags and whether the tree is clean.",
                f"How does the {p.name} repository stand right now?",
            ),
            s.pick("git status -sb && git tag", "git branch -a && git tag", "git status"),
        ),
        (
            s.say("An overview of the tracked files.", "Which files are there?", "Listing the files of the project."),
            s.pick("git ls-files", "ls -aF", "ls -R src docs"),
        ),
    ]
    if s.does("explores"):
        steps.append(
            (
                s.say(
                    "The recent history helps to understand the conventions here.",
                    "A look at the log.",
                    "What was committed lately?",
                ),
                s.pick("git log --oneline | head -12", "git log --oneline --decorate | head"),
            )
        )
    s.rng.shuffle(steps)
    for text, command in steps[: 1 if s.name == "hasty" else 3]:
        yield bash(text, command)


def commit_and_tag(s: Style, subject: str, version: str) -> Script:
    if s.rng.random() < 0.5:
        yield bash(
            s.say("Committing and tagging.", f"The commit and the tag v{version}."),
            f"git commit -aqm '{subject}' && git tag v{version}",
        )
    else:
        yield bash(s.say("Committing the change.", "Time for the commit."), f"git add -A && git commit -qm '{subject}'")
        yield bash(s.say(f"And the tag v{version}.", "Now I tag that commit."), f"git tag v{version}")
    if s.does("verifies"):
        yield bash(
            s.say("Is the tag where it should be?", "Checking the tag and the log."),
            s.pick("git log --oneline --decorate | head -3", f"git show --stat v{version} | head -15"),
        )


def finish(s: Style) -> Script:
    yield bash(s.say("All done, submitting.", "That was the last step.", "The work is complete."), SUBMIT)
