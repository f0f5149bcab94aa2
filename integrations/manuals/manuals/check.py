"""Compares a program's file with the manual that it says was opened."""

import re
from dataclasses import dataclass

import yaml

from .options import MAYBE, VALUE

HELP = {"-h", "--help", "-V", "--version", "-v", "-?", "help", "version"}


@dataclass
class Difference:
    where: str  # a subcommand's words, or nothing
    name: str
    what: str

    def __str__(self):
        return f"{self.where + ' ' if self.where else ''}{self.name}: {self.what}"


def load(path):
    """A program's file, with names kept as they are typed."""
    with open(path) as f:
        held = yaml.load(f, Loader=yaml.BaseLoader)
    if not isinstance(held, dict) or "name" not in held:
        raise ValueError(f"{path}: no program's file: it has no name")
    return held


def listed(options):
    """{name: takes} of a file's options."""
    return {n.strip(): str(word).split()[0] for names, word in (options or {}).items() for n in names.split(",")}


def compare(options, manual, where=""):
    """What stands otherwise in a file's options than in its manual."""
    file = listed(options)
    page = {n: o for o in manual for n in o.names}
    if "-#" in page:  # a number
        number = page.pop("-#")
        page |= {n: number for n in file if re.fullmatch(r"-\d+", n)}
    found = []
    for name, takes in file.items():
        if name not in page:
            found.append(Difference(where, name, "is in the file, and not in the manual"))
        elif not agree(takes, page[name], name):
            found.append(Difference(where, name, f"is a {takes} in the file, the manual says {page[name].takes}"))
    for name, o in page.items():
        if name not in file and name not in HELP:
            found.append(Difference(where, name, f"is in the manual ({o.takes}), and not in the file"))
    return sorted(found, key=lambda d: (d.where, d.name))


def agree(takes, option, name):
    """A name whose value is optional may be a flag by another name: -c, --color[=WHEN]."""
    said = {option.takes, option.each.get(name, option.takes)}
    return takes in said or takes == MAYBE and VALUE in said and MAYBE in said
