"""The scripts of the family `release`."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from release_checks import notes_of, output
from release_repos import Project
from release_steps import commit_and_tag, finish, look
from repair_script import bash
from script import Script
from style import Style


def bump(p: Project, s: Style, root: Path) -> Script:
    yield from look(s, p)
    places = ["pyproject.toml", f"src/{p.name}/__init__.py"]
    old = p.old.replace(".", "\\.")
    if s.does("heeds"):
        out = yield bash(
            s.say(
                f"Where is {p.old} written? I search the whole tree instead of guessing.",
                "The version may be stated in more places than the obvious ones, so I grep for it.",
                f"Searching every tracked file for {p.old}.",
            ),
            s.pick(f"git grep -n '{old}'", f"grep -rn '{old}' . --exclude-dir=.git"),
        )
        found = {line.split(":")[0].removeprefix("./") for line in output(out[0]).splitlines() if ":" in line}
        places = sorted(found - {"CHANGELOG.md"})
    else:
        yield bash(
            s.say(
                "The version lives in pyproject.toml and in the package.",
                "Reading the two files that carry the version.",
            ),
            f"cat {' '.join(places)}",
        )
    if s.rng.random() < 0.5:
        yield bash(
            s.say("Replacing the version in all of these places.", f"Setting {p.new} with sed."),
            f"sed -i 's/{old}/{p.new}/' {' '.join(places)}",
        )
    else:
        for place in places:
            yield bash(
                s.say(f"Now {place}.", f"Setting the version in {place}.", f"{place} gets {p.new}."),
                f"sed -i 's/{old}/{p.new}/' {place}",
            )
    yield bash(
        s.say(
            "Next the change log: a new section above the old ones.",
            "Adding the section for the new version to CHANGELOG.md.",
        ),
        s.pick(
            f"sed -i '2a ## {p.new}\\n\\n- {p.note}\\n' CHANGELOG.md && head -12 CHANGELOG.md",
            f"python - <<'EOF'\nfrom pathlib import Path\np = Path('CHANGELOG.md')\nt = p.read_text()\n"
            f"p.write_text(t.replace('# Changes\\n', '# Changes\\n\\n## {p.new}\\n\\n- {p.note}\\n', 1))\nEOF",
        ),
    )
    if s.does("verifies"):
        yield bash(
            s.say(
                "Reviewing the whole change before the commit.",
                "Does the diff contain what it should and nothing else?",
            ),
            s.pick("git diff", "git diff --stat"),
        )
    yield from commit_and_tag(s, f"Release {p.new}", p.new)
    yield from finish(s)


def archive(p: Project, s: Style, root: Path) -> Script:
    yield from look(s, p)
    excludes = ""
    if s.does("heeds"):
        yield bash(
            s.say(
                "What must stay out of the archive?",
                "The list in .distignore decides what is left out, so I read it first.",
            ),
            "cat .distignore",
        )
        excludes = f"--exclude={p.draft} --exclude='*.key' "
    top, name = f"{p.name}-{p.old}", f"dist/{p.name}-{p.old}.tar.gz"
    pack = (
        f"tar --sort=name --mtime='2026-01-05 00:00Z' --owner=0 --group=0 --numeric-owner --mode='u+rwX,go+rX,go-w' "
        f"{excludes}--transform 's,^,{top}/,' -cf - src docs README.md CHANGELOG.md | gzip -n > {name}"
    )
    if s.does("strays"):
        yield bash(s.say("Building the archive.", "Packing the files now."), pack)
        yield bash(
            s.say(
                "The folder dist does not exist yet, I have to create it first.",
                "Right, there is no dist folder. Once more with mkdir.",
            ),
            f"mkdir -p dist && {pack}",
        )
    else:
        yield bash(
            s.say(
                "Building the archive with fixed owner, order and times.",
                "Now I pack the files below a versioned folder.",
            ),
            f"mkdir -p dist && {pack}",
        )
    if s.does("verifies"):
        out = yield bash(
            s.say("What is in it?", "Listing the archive to check its contents."),
            s.pick(f"tar -tzf {name}", f"tar -tzf {name} | sort"),
        )
        if ".key" in output(out[0]) and s.does("verifies"):
            yield bash(
                s.say(
                    "There is a signing key in the listing, that must never be shipped. Let me see what the ignore file says and pack again."
                ),
                "cat .distignore && "
                + pack.replace("--transform", f"--exclude={p.draft} --exclude='*.key' --transform"),
            )
    yield bash(
        s.say("Then the checksum.", "Writing SHA256SUMS."),
        f"cd dist && sha256sum {p.name}-{p.old}.tar.gz > SHA256SUMS && cat SHA256SUMS",
    )
    if s.does("verifies"):
        yield bash(s.say("Does the checksum file verify?", "Verifying the sums."), "cd dist && sha256sum -c SHA256SUMS")
    yield from finish(s)


def notes(p: Project, s: Style, root: Path) -> Script:
    yield from look(s, p)
    out = yield bash(
        s.say(
            f"All subjects since v{p.old}, oldest first.",
            "The commits since the last tag are the raw material.",
            "Listing what went in since the last release.",
        ),
        f"git log --reverse --format=%s v{p.old}..HEAD",
    )
    subjects = output(out[0]).splitlines()
    heeds = s.does("heeds")
    if s.does("explores"):
        yield bash(
            s.say("How do earlier notes look in the change log?", "The change log shows the usual tone."),
            "cat CHANGELOG.md",
        )
    text = notes_of(subjects, skip_reverted=heeds)
    words = (
        (
            "One feature was reverted later, so it must not be in the notes. Writing the rest.",
            "Leaving out the chore and the feature that was taken back.",
        )
        if heeds
        else ("Sorting them into features and fixes.", "Writing the notes, features first.")
    )
    yield bash(s.say(*words), f"cat <<'EOF' > NOTES-{p.new}.md\n{text}EOF")
    if s.does("verifies"):
        yield bash(s.say("Reading the result once.", "A last look at the file."), f"cat NOTES-{p.new}.md")
    yield from finish(s)


def backport(p: Project, s: Style, root: Path) -> Script:
    yield from look(s, p)
    out = yield bash(
        s.say("Which commit is it?", "I need the hash of the fix on main.", f"Looking for '{p.fixes[0]}' in the log."),
        s.pick(f"git log main --oneline --grep='{p.fixes[0]}'", f"git log --oneline main | grep -F '{p.fixes[0]}'"),
    )
    commit = output(out[0]).split()[0]
    if s.does("explores"):
        yield bash(
            s.say("What does the commit change?", "Looking at the fix before moving it."), f"git show --stat {commit}"
        )
    if s.rng.random() < 0.5:
        yield bash(s.say("Switching to the release branch.", f"Over to {p.branch}."), f"git checkout -q {p.branch}")
        yield bash(s.say("Cherry-picking the fix.", "Now the cherry-pick."), f"git cherry-pick {commit}")
    else:
        yield bash(
            s.say(f"Taking the fix over to {p.branch}."), f"git checkout -q {p.branch} && git cherry-pick {commit}"
        )
    if s.does("heeds"):
        old = p.old.replace(".", "\\.")
        yield bash(
            s.say(
                f"The branch still says {p.old}, so the version comes next.",
                f"Setting the version to {p.patch} on this branch.",
            ),
            f"sed -i 's/{old}/{p.patch}/' pyproject.toml src/{p.name}/__init__.py && git diff",
        )
        yield from commit_and_tag(s, f"Release {p.patch}", p.patch)
    else:
        yield bash(s.say("The tag for the patch release.", f"Tagging v{p.patch}."), f"git tag v{p.patch}")
    if s.does("explores"):
        yield bash(
            s.say("Back to main, which is as it was.", "Returning to main."),
            "git checkout -q main && git log --oneline | head -3",
        )
    yield from finish(s)


SOLVE: dict[str, Callable[[Project, Style, Path], Script]] = {
    "bump": bump,
    "archive": archive,
    "notes": notes,
    "backport": backport,
}
