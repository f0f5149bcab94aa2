"""What tags of made-up pages are read as."""

import unittest

from manuals import options, page


def marked(text):
    """Lines with _variables_ as a page renders them; a letter over a line."""
    lines = []
    for row in text.splitlines():
        out, under = "", False
        for c in row:
            if c == "_":
                under = not under
            else:
                out += "_\b" + c if under else c
        lines.append(page.overstruck(out))
    return lines


# Of each: the page, and what is read: names, what they take.
PAGES = {
    "names of one option": ("O\n   -q, --quiet\n       Says less.", "-q --quiet flag"),
    "a value behind an equals sign": ("O\n   -o, --out=_FILE_\n       To it.", "-o --out value"),
    "an optional value": ("O\n   --color[=_WHEN_]\n       Colours.", "--color maybe"),
    "a value in brackets behind a blank": ("O\n   --log [_level_]\n       Logs.", "--log value"),
    "an attached value": ("O\n   -j_N_\n       Jobs.", "-j value"),
    "a lower-case value that stands out": ("O\n   -i _inventory_, --inventory _inventory_\n       From it.", "-i --inventory value"),
    "a lower-case value that does not": ("O\n   -i path\n       From it.", "-i value"),
    "an optional value with its sign outside": ("O\n   --head=[_FILE_]\n       To it.", "--head maybe"),
    "a sign before the value": ("O\n   -n, --lines=[-]_NUM_\n       Lines.", "-n --lines value"),
    "values between names without commas": ("O\n   -S .suf --suffix .suf\n       The end.", "-S --suffix value"),
    "or between names, set apart": ("O\n   -d _dir_  or  --directory=_dir_\n       There.", "-d --directory value"),
    "names set apart": ("O\n   -c  --format=_FORMAT_\n       So.", "-c --format value"),
    "a flag that is told again with words behind": ("O\n   -t, --terse\n       Short.\n\n   --terse is like the above.", "-t --terse flag"),
    "three kinds in one entry": ("O\n   -c, -C _NUM_, --context[=_NUM_]\n       Lines.", "-c flag; -C value; --context maybe"),
    "a list below the second heading": ("O\n   One\n       -a  All.\n\n   Two\n       -f, --file=_F_\n           It.\n\nP\n  -f", "-a flag; -f --file value"),
    "an attached number": ("O\n   -T#, --threads=#\n       Many.", "-T maybe; --threads value"),
    "a bullet before the names": ("O\n   •   -o _FILE_: where to\n", "-o value"),
    "a comma that stands out": ("O\n   -h_,_ --help\n       This.", "-h --help flag"),
    "a slash between names with values": ("O\n   -f name / --from name:\n       It.", "-f --from value"),
    "flags above a value": ("O\n   -A\n   -B\n   --format=_name_\n       So.", "-A -B flag; --format value"),
    "names of two entries told together": ("O\n   -a\n       A.\n\n   -b\n       B.\n\n   -a, -b, -c\n       All.", "-a -c flag; -b flag"),
    "angle brackets": ("O\n   -e, --env <KEY=VAL>\n       Sets it.", "-e --env value"),
    "a choice in braces": ("O\n   --when {now,later}\n       The time.", "--when value"),
    "words on the tag's line": ("O\n   -b     Brief words.\n          More of them.", "-b flag"),
    "words after one blank, by the column below": ("O\n   -abcde Brief words.\n          More of them.", "-abcde flag"),
    "a sentence is no value": ("O\n   -v A flag that does this\n", "-v flag"),
    "a bar between names": ("O\n   -n | --dry-run\n       Does nothing.", "-n --dry-run flag"),
    "a slash between names": ("O\n   --wrap/--no-wrap\n       Wraps.", "--wrap --no-wrap flag"),
    "an option and its opposite": ("O\n   --[no-]wrap\n       Wraps.", "--wrap --no-wrap flag"),
    "a number that names no option": ("O\n   -C _NUM_, -_NUM_, --context=_NUM_\n       Lines.", "-C --context value"),
    "names on lines of their own": ("O\n   -k\n   --keep\n       Keeps.", "-k --keep flag"),
    "two options below each other": ("O\n   -k\n       Keeps.\n   -l\n       Lists.", "-k flag; -l flag"),
    "a single dash before a long name": ("O\n   -name _pattern_\n       Named so.", "-name value"),
    "an example of another option": ("O\n   -p, --style=slash\n       Slash.\n\n   --style=_WORD_\n       As told.", "-p --style value"),
    "an example after its option": ("O\n   --style=_WORD_\n       As told.\n\n   -p, --style=slash\n       Slash.", "--style value; -p flag"),
    "an example in a description": ("O\n   -f, --file=_F_\n       As in\n\n           --file=host:x\n\n   -g  Go.", "-f --file value; -g flag"),
    "wrapped words that begin with a dash": ("O\n   -a\n       As with the options\n       -b and -c.", "-a flag"),
    "a list below a heading in the page": ("O\n   Choosing\n       -a\n          All.", "-a flag"),
    "a value told by the synopsis alone": ("SYNOPSIS\n   x [-o=file]\n\nOPTIONS\n   -o, --out\n       To it.", "-o --out value"),
    "a value where descriptions begin": ("O\n   --name _node_\n          So called.", "--name value"),
    "a remark in brackets is no value": ("O\n   --git [if built with it]\n       Shows it.", "--git flag"),
    "a colon before the words": ("O\n   -e or --only: Just that\n", "-e --only flag"),
    "a name that stands for many": ("O\n   --no-OPTION\n       Turns one off.", ""),
}

HELPS = {
    "aligned names": ("Options:\n  -q, --quiet     less\n      --out FILE  where to", "-q --quiet flag; --out value"),
    "a long name alone deeper": ("Options:\n  -q  less\n      --deep  more", "-q flag; --deep flag"),
    "argparse": ("options:\n  -o OUT, --out OUT  where to\n  --now              at once", "-o --out value; --now flag"),
    "click": ("Options:\n  --wrap / --no-wrap   Wraps.\n  --size INTEGER RANGE  How big.", "--wrap --no-wrap flag; --size value"),
    "cobra": ("Flags:\n  -c, --config string   the file\n      --force           do it", "-c --config value; --force flag"),
    "go's flag package": ("Usage of x:\n  -o string\n    \twhere to\n  -v\tsays more", "-o value; -v flag"),
    "options of the usage alone": ("usage: x [-h] [-d CHAR] [-t]\n\noptions:\n  -h, --help  this", "-h --help flag; -d value; -t flag"),
    "a usage line is no option": ("usage: x [-ab] FILE\n", ""),
}


def told(found):
    return "; ".join(f"{' '.join(o.names)} {o.takes}" for o in found)


class Options(unittest.TestCase):
    def test_pages(self):
        for name, (text, want) in PAGES.items():
            with self.subTest(name):
                self.assertEqual(told(options.read(marked(text))), want)

    def test_help(self):
        for name, (text, want) in HELPS.items():
            with self.subTest(name):
                self.assertEqual(told(options.read(page.plain(text), page=False)), want)

    def test_words(self):
        (o,) = options.read(marked("O\n   -q, --quiet\n       Says less.\n"))
        self.assertEqual(o.words, "Says less.")
