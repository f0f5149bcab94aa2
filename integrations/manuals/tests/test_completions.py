"""What made-up completion data is read as."""

import unittest

from manuals import commands, completions, page

ZSH = r"""
_arguments -s \
  '(-q --quiet)'{-q,--quiet}'[say less]' \
  '(--out)--out=[where to]:file:_files' \
  '*-I+[a folder]:folder:_files -/' \
  '--color=-[colours]::when:(always never)' \
  '1:name:->names'
"""

FISH = """
complete -c x -s q -l quiet -d 'say less'
complete -c x -s o -l out -r -d 'where to'
complete -c x -n '__fish_seen_subcommand_from build' -l fast
complete -c x -o old -x
complete -c x -a 'build test'
"""

HELP = """
Usage: x COMMAND

Options:
  -q, --quiet   less

Commands:
  build       makes it
  run-all, r  runs it
              and more

Examples:
  nothing     here
"""


def told(found):
    return [" ".join([*o.names, o.takes]) for o in found]


class Completions(unittest.TestCase):
    def test_zsh(self):
        self.assertEqual(told(completions.zsh(ZSH)), ["-q --quiet flag", "--out value", "-I value", "--color maybe"])

    def test_fish(self):
        found = completions.fish(FISH)
        self.assertEqual(told(found[""]), ["-q --quiet flag", "-o --out value", "-old value"])
        self.assertEqual(told(found["build"]), ["--fast flag"])

    def test_commands(self):
        self.assertEqual(commands.listed(page.plain(HELP)), ["build", "run-all"])
