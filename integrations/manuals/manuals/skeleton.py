"""Writes the file of a program with everything but what a person must say.

Every option stands there with its names and whether it takes a value. What it
does is a person's to say: an option that nobody has labelled ends in a question
mark, which the compiler of the files refuses. The manual's own words are shown
beside it on the terminal and never written down.
"""

import re
from pathlib import Path

from .options import MAYBE, UNKNOWN, VALUE

KINDS = {"man": "man page", "help": "help text", "zsh": "completion", "fish": "completion", "document": "document"}
INFORMS = {"--help", "--version"}

# What a manual calls a value that is a number, a moment or a choice says that no file is meant.
HARMLESS = re.compile(
    r"[<\[]?(n|num(ber)?|count|size|bytes?|blocks?|cols?|columns?|width|lines?|when|secs?|seconds|duration|time|level|"
    r"date|format|fmt|color|style|sep(arator)?|delim(iter)?|list|word|type|depth|max|min|int|port|mode|char|string|text|"
    r"pattern|regexp?|glob|encoding|limit|suffix|prefix|name|user|group|lang(uage)?)[>\]]?",
    re.I,
)


def source(text):
    """The source of a file, as its lines."""
    page = Path(text.name).name.removesuffix(".gz") if text.kind in ("man", "zsh", "fish") else text.name
    lines = [f"  kind: {KINDS[text.kind]}"]
    if text.package:
        lines += [f"  package: {text.package}", f'  version: "{text.version}"']
    return ["source:", *lines, f"  page: {scalar(page)}", f"  sha256: {text.sha256}"]


def scalar(word):
    """A word as YAML, quoted where it would be read as something else."""
    return word if re.fullmatch(r"[A-Za-z][\w./+ -]*", word) and word not in ("y", "n", "yes", "no", "on", "off", "true", "false") else f'"{word}"'


def option(o):
    """An option's line. Only a flag without a file in sight gets no question mark."""
    key = ", ".join(o.names)
    key = key if re.fullmatch(r"-[A-Za-z-][\w, .-]*", key) else f'"{key}"'
    return f"{key}: {guess(o)}"


def guess(o):
    if o.takes in (VALUE, MAYBE):
        return o.takes if HARMLESS.fullmatch(o.value) else f"{o.takes} ?"
    return "flag ?" if o.takes == UNKNOWN or telling(o) else "flag"


def telling(o):
    """Whether a flag's own words speak of files that change, or of what it runs."""
    return re.search(r"delet|remov|overwr|in.?place|writ|execut|\brun|send|upload|install|edit|creat|updat|force", f"{o.names} {o.words}", re.I)


def skeleton(name, text, options, subcommands=()):
    """A program's file as text; subcommands is {name: options}."""
    lines = [f"name: {scalar(name)}", *source(text), 'action: "?"', 'does: "?"', 'operands: ["?"]']
    lines += section("options:", options, 0)
    if subcommands:
        lines.append("subcommands:")
        for sub in sorted(subcommands):
            lines += [f"  {scalar(sub)}:", '    does: "?"', '    operands: ["?"]', *section("options:", subcommands[sub], 4)]
    lines += ["examples:", f"  - run: {name} ?", '    gives: ["?"]']
    return "\n".join(lines) + "\n"


def section(title, options, indent):
    pad = " " * indent
    lines = [pad + "  " + option(o) for o in options if not set(o.names) <= INFORMS]
    return [pad + title, *lines] if lines else []
