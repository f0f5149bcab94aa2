"""Renders a manual page into lines that know which letters stand out.

Pages are written in two macro packages and many habits; rendered they look
alike. The renderer is man-db, with wide lines, neither justified nor hyphenated.
"""

import os
import subprocess
from dataclasses import dataclass

WIDTH = "160"


@dataclass
class Line:
    """A line of a text: under is true for each letter that is set as a variable."""

    text: str
    under: list

    @property
    def indent(self):
        return len(self.text) - len(self.text.lstrip())

    def __bool__(self):
        return bool(self.text.strip())


def render(roff):
    """The lines of a page in roff."""
    env = dict(os.environ, MANWIDTH=WIDTH, MAN_KEEP_FORMATTING="1", GROFF_NO_SGR="1", LC_ALL="C.UTF-8")
    done = subprocess.run(["man", "--nj", "--nh", "-l", "-"], input=roff, env=env, check=True, capture_output=True)
    return [overstruck(line) for line in done.stdout.decode("utf-8", "replace").splitlines()]


def overstruck(line):
    """Undoes a typewriter's marks: a letter over itself is bold, over a line a variable."""
    text, under = [], []
    i = 0
    while i < len(line):
        letter, below = line[i], False
        while line[i + 1 : i + 2] == "\b" and i + 2 < len(line):
            below = below or line[i] == "_"
            letter = line[i + 2]
            i += 2
        text.append({"−": "-", "‐": "-", "–": "-", " ": " "}.get(letter, letter))
        under.append(below)
        i += 1
    return Line("".join(text).rstrip(), under)


def plain(text):
    """The lines of a text without marks."""
    return [Line(t, [False] * len(t)) for t in (line.expandtabs().rstrip() for line in text.splitlines())]
