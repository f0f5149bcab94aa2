"""Reads options out of the completion data of zsh and fish.

Both say in a fixed notation which names belong together and whether a value
follows. Bash's completions are programs that say neither, and are not read.
"""

import re
import shlex

from .options import FLAG, MAYBE, VALUE, Option, once

# '(-a --all)'{-a,--all}'[words]:value:action', '*--name=[words]:value:', '-o+[words]:value:'
SPEC = re.compile(
    r"""(?P<out>'?\([^)']*\)'?)?(?P<many>'?\*'?)?
        (?P<names>\{[^}]+\}|'?[-+][^\s\['":=+]*)
        (?P<attach>(?:=-|\+|-|=)?)'?"?(?P<words>\[(?:\\.|[^\]\\])*\])?(?P<rest>::?[^'"]*)?""",
    re.X,
)


def zsh(text):
    """The options in a zsh function's _arguments."""
    found = []
    for line in text.splitlines():
        line = line.strip().rstrip("\\").strip()
        if not re.match(r"""['"({*]*(?:\([^)]*\)['"]?)?['"*{]*[-+]""", line):
            continue
        m = SPEC.match(line.lstrip("'\"") if not line.startswith("'(") else line)
        if not m or not (m["words"] or m["rest"]):
            continue
        each = {}
        for name in m["names"].strip("{}'\"").split(","):
            name = name.strip("'\"")
            attach = re.search(r"(=-|=|\+|(?<=\w)-)$", name)
            name = name[: attach.start()] if attach else name
            if re.fullmatch(r"[-+][\w?@#.+-]+", name):
                each[name] = arity(m["rest"] or "")
        if each:
            words = (m["words"] or "").strip("[]")
            found.append(Option(list(each), max(each.values(), key=[FLAG, MAYBE, VALUE].index), "", words, each))
    return once(found)


def arity(rest):
    if not rest:
        return FLAG
    return MAYBE if rest.startswith("::") else VALUE


def fish(text):
    """The options in a fish file's complete lines: {subcommand: options}, "" for the program's own."""
    found = {}
    for line in text.replace("\\\n", " ").splitlines():
        if not line.lstrip().startswith("complete "):
            continue
        try:
            words = shlex.split(line, comments=True)
        except ValueError:  # fish quotes otherwise than sh; such a line is passed over
            continue
        sub, option = fish_line(words[1:])
        if option.names:
            found.setdefault(sub, []).append(option)
    return {sub: once(options) for sub, options in found.items()}


def fish_line(words):
    names, takes, said, sub = [], FLAG, "", ""
    it = iter(words)
    for word in it:
        letters = word[1:] if re.fullmatch(r"-[a-zA-Z]+", word) else ""
        if word in ("-s", "--short-option"):
            names.append("-" + next(it, ""))
        elif word in ("-l", "--long-option"):
            names.append("--" + next(it, ""))
        elif word in ("-o", "--old-option"):
            names.append("-" + next(it, ""))
        elif word in ("-d", "--description"):
            said = next(it, "")
        elif word in ("-n", "--condition"):
            m = re.search(r"__fish_seen_subcommand_from (\S+)", next(it, ""))
            sub = m[1] if m else sub
        elif word in ("-c", "--command", "-a", "--arguments"):
            next(it, "")
        elif word in ("--require-parameter", "--exclusive") or letters and set(letters) & set("rx"):
            takes = VALUE
            if letters and letters[-1] in "a":
                next(it, "")
    names = [n for n in names if len(n) > 1]
    return sub, Option(names, takes, "", said, dict.fromkeys(names, takes))
