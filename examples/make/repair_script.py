"""The script of the family `repair`: how a scripted agent finds and fixes a fault."""

from __future__ import annotations

import shlex
from pathlib import Path

from repair_fault import Fault
from script import Script, Turn, turn
from style import Style

TESTS = "python -m unittest discover -s tests"
SUBMIT = "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT"


def bash(text: str, command: str) -> Turn:
    return turn(text, "bash", command=command)


def solve(fault: Fault, s: Style, root: Path) -> Script:
    """Look around, see the test fail, find the cause, fix it, check, submit."""
    yield from look(s, fault)
    yield from investigate(s, fault)
    if s.does("heeds"):
        yield from edit(
            s,
            fault,
            "old",
            "full",
            s.say(
                f"The cause is plain: {fault.cause}. And {fault.catch}. I will fix both in one edit.",
                f"So {fault.cause}. Reading the issue again, {fault.catch}, so the change has to cover that too.",
                f"I found it: {fault.cause}. I also need to keep in mind that {fault.catch}.",
            ),
        )
        yield from verify(s, fault)
    else:
        yield from edit(
            s,
            fault,
            "old",
            "quick",
            s.say(
                f"Found it: {fault.cause}. A small change in `{fault.module}` is enough.",
                f"The problem is that {fault.cause}. Fixing that line.",
                f"It turns out {fault.cause}. I will change just that.",
            ),
        )
        yield from second_look(s, fault)
    yield from finish(s, fault)


def look(s: Style, fault: Fault) -> Script:
    listing = s.pick("ls -R", "git ls-files", "find . -name '*.py' -not -path './.git/*' | sort", "ls")
    yield bash(
        s.say(
            "Let me see which files are in this repository.",
            f"I need an overview of the {fault.name} package before reading any code.",
            "Listing the files shows how the code is laid out.",
            "Start with the layout of the project.",
        ),
        listing,
    )
    if s.does("explores"):
        yield bash(
            s.say(
                "The README may say how the tests are run.",
                "A short look at the README for the purpose of the package and its test command.",
                "Reading the README to learn how to run things here.",
            ),
            s.pick("cat README.md", "head -20 README.md"),
        )


def investigate(s: Style, fault: Fault) -> Script:
    """Tests, source and reproduction, in the order this agent likes."""
    steps = [run_tests, read_source]
    if s.does("explores"):
        steps.append(read_tests)
    if s.does("verifies"):
        steps.append(reproduce)
    if s.does("strays"):
        steps.append(stray)
    s.rng.shuffle(steps)
    for step in steps:
        yield from step(s, fault)


def run_tests(s: Style, fault: Fault) -> Script:
    command = s.pick(TESTS, f"{TESTS} -v", f"{TESTS} 2>&1 | tail -15")
    yield bash(
        s.say(
            "Running the test suite to see what fails at the moment.",
            "I want to see the failure with my own eyes, so I run the unit tests.",
            "Let me run the tests and read the failing assertion.",
            "The tests should show the problem described in the issue.",
        ),
        command,
    )


def read_source(s: Style, fault: Fault) -> Script:
    m = fault.module
    yield bash(
        s.say(
            f"Now the code itself, in `{m}`.",
            f"The issue points at `{m}`, so I read that file.",
            f"Let me open `{m}` and look for the faulty line.",
            f"Reading the implementation in {m}.",
        ),
        s.pick(f"cat {m}", f"nl -ba {m}", f"sed -n '1,60p' {m}"),
    )


def read_tests(s: Style, fault: Fault) -> Script:
    yield bash(
        s.say(
            "The tests say what is expected, so I read them as well.",
            f"What exactly does `{fault.test}` assert?",
            "Checking the existing tests for the intended behaviour.",
        ),
        s.pick(f"cat {fault.test}", f"grep -n 'assert' {fault.test}"),
    )


def reproduce(s: Style, fault: Fault) -> Script:
    yield bash(
        s.say(
            "I will reproduce the problem with a one-liner outside of the tests.",
            "A tiny reproduction makes sure that I understand the report.",
            "Calling the function directly with the values from the issue.",
        ),
        python_c(fault.probe),
    )


def python_c(code: str) -> str:
    """A shell command that runs the code, quoted as a person would."""
    return f'python -c "{code}"' if '"' not in code else f"python -c {shlex.quote(code)}"


def stray(s: Style, fault: Fault) -> Script:
    """A step that leads nowhere: another place is suspected first."""
    word = fault.module.split("/")[-1].removesuffix(".py")
    yield bash(
        s.say(
            "Maybe the same logic exists in another place too. Searching for it.",
            "Could there be a second copy of this code or a changelog that mentions it?",
            "Let me check the history, perhaps a recent commit broke this.",
        ),
        s.pick(
            f"grep -rn {word} --include='*.py' . | grep -v tests",
            "git log --oneline | head -5",
            "cat CHANGELOG.md setup.py",
        ),
    )


def edit(s: Style, fault: Fault, old: str, new: str, words: str) -> Script:
    """Changes the module; a first try with sed may fail to match and is noticed."""
    before, after, m = fault.fix[old], fault.fix[new], fault.module
    if before.count("\n") == 1 and after.count("\n") == 1 and s.rng.random() < 0.5:
        yield bash(words, f"sed -i {shlex.quote(sed(before, after))} {m} && git diff --stat")
    elif s.rng.random() < 0.3:
        whole = fault.files[m].replace(fault.fix["old"], after)
        yield bash(words, f"cat <<'EOF' > {m}\n{whole}EOF")
    else:
        if s.does("strays"):
            yield bash(
                words,
                f"sed -i 's/^{before.strip().splitlines()[0][:18].strip()}$/x/' {m} && git diff --exit-code && echo unchanged",
            )
            words = s.say(
                "That sed call did not do what I wanted, the file is as it was. I will replace the text with Python instead.",
                "No luck with sed here. A small Python script is more reliable.",
            )
        yield bash(words, f"python - <<'EOF'\n{replacement(m, before, after)}EOF")
    if s.does("explores"):
        yield bash(
            s.say(
                "Let me look at the change before testing it.", "Checking the diff.", "Does the diff say what I meant?"
            ),
            s.pick("git diff", f"git diff -- {m}", f"cat {m}"),
        )


def sed(before: str, after: str) -> str:
    """A sed command that replaces one line."""

    def plain(text: str, signs: str) -> str:
        return "".join("\\" + c if c in signs else c for c in text.strip("\n"))

    return f"s|{plain(before, '\\|.*[]^$')}|{plain(after, '\\|&')}|"


def replacement(module: str, before: str, after: str) -> str:
    return (
        "from pathlib import Path\n"
        f"path = Path({module!r})\n"
        "text = path.read_text()\n"
        f"old = {before!r}\n"
        f"new = {after!r}\n"
        "assert text.count(old) == 1\n"
        "path.write_text(text.replace(old, new))\n"
    )


def verify(s: Style, fault: Fault) -> Script:
    """Runs the tests again and reacts to what they really say."""
    out = yield bash(
        s.say(
            "Now the tests again.",
            "Running the whole suite once more to confirm the fix.",
            "Let me make sure that everything passes.",
        ),
        s.pick(TESTS, f"{TESTS} -v"),
    )
    if "FAILED" in out[0]:
        yield bash(s.say("Still failing. I look at the file again."), f"cat {fault.module}")
    elif s.does("verifies"):
        yield bash(
            s.say(
                "The suite passes. One more direct call with the example from the report.",
                "Green. I still want to see the value from the issue itself.",
            ),
            python_c(fault.probe),
        )


def second_look(s: Style, fault: Fault) -> Script:
    """After the quick fix: whoever verifies may still notice the catch."""
    if s.name == "hasty" and not s.does("verifies"):
        return
    yield from verify(s, fault)
    if s.rng.random() < s.traits["heeds"] / 3:
        yield from edit(
            s,
            fault,
            "quick",
            "full",
            s.say(
                f"Wait, I read the issue once more: {fault.catch}. That is not covered yet.",
                f"Not done yet, because {fault.catch}. I extend the fix.",
            ),
        )
        yield from verify(s, fault)


def finish(s: Style, fault: Fault) -> Script:
    if s.does("strays"):
        yield bash(
            s.say("Cleaning up caches that the test run may have left.", "I remove leftovers before submitting."),
            "find . -name __pycache__ -prune -exec rm -r {} + ; git status --short",
        )
    yield bash(
        s.say(
            "The fault is fixed, I submit.",
            f"Everything that I wanted to change in {fault.module} is in place. Submitting.",
            "Done with this issue.",
        ),
        SUBMIT,
    )
