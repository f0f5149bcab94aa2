"""Finds a program's subcommands and the texts that describe them."""

import re

HEADING = re.compile(r"(?:[a-z -]*\b)?(?:sub-?)?commands?\b[a-z ,()]*:?$", re.I)
ENTRY = re.compile(r"\s{1,8}([a-z][a-z0-9]*(?:[-_:][a-z0-9]+)*)(?:\*?,\s+[a-z]\w*)*(?:\s{2,}\S|:\s+\S|\s*$| [<\[])")


def listed(lines):
    """The subcommands that a help text lists below a heading that says so."""
    names, inside, indent = [], False, None
    for line in lines:
        if HEADING.fullmatch(line.text.strip()):
            inside, indent = True, None
            continue
        if line and line.indent == 0:
            inside = False
        m = ENTRY.match(line.text)
        if not inside or not m:
            continue
        indent = line.indent if indent is None else indent
        if line.indent == indent:
            names.append(m[1])
    return list(dict.fromkeys(names))


def pages(debian, name):
    """The pages of subcommands, as git-log.1 for git log, of the program's own packages."""
    own = {p for _, p in debian.find(name).pages + debian.find(name).programs}
    found = {}
    for other, f in debian.contents.items():
        if not other.startswith(name + "-"):
            continue
        for path, package in f.pages:
            if package in own:
                found[other[len(name) + 1 :]] = (path, package)
    return found
