"""What is written of a manual, and what a file is told about it."""

import unittest

import yaml

from manuals import check, fill, named, skeleton, sources
from manuals.options import Option

CONTENTS = """\
usr/bin/frob                        utils/frobber
usr/share/man/man1/frob.1.gz        utils/frobber
usr/share/man/man1/frob-add.1.gz    doc/frobber-man
usr/share/fish/completions/frob.fish                shells/fish-common
usr/share/man/man1/lost.1.gz        utils/other
usr/bin/two                         utils/a-two,admin/two
usr/share/man/de/man1/two.1.gz      doc/two
"""


def option(names, takes="flag", **more):
    return Option(names.split(), takes, each=dict.fromkeys(names.split(), takes), **more)


class Sources(unittest.TestCase):
    def setUp(self):
        self.found = sources.by_name(CONTENTS.splitlines())

    def test_a_page_of_its_own_package(self):
        self.assertEqual(self.found["frob"].kind, "man")
        self.assertEqual(self.found["frob"].completions, [("usr/share/fish/completions/frob.fish", "fish-common")])

    def test_a_page_alone(self):
        self.assertEqual(self.found["lost"].kind, "page without program")

    def test_a_translated_page_is_none(self):
        self.assertEqual(self.found["two"].kind, "help")
        self.assertEqual([p for _, p in self.found["two"].programs], ["two", "a-two"])


class Named(unittest.TestCase):
    TEXT = "frob [-axv] [--[no-]color] -1..-9, -oFILE, and see --deep. frob --type-add=py:ext:py"

    def test_what_a_text_names(self):
        for name in ("-x", "--color", "--no-color", "--deep", "-4", "-o", "--py"):
            self.assertTrue(named.has(self.TEXT, name), name)
        for name in ("-q", "--dee", "--deep-er", "--no-deep", "--rb", "-10x", "-deep"):
            self.assertFalse(named.has(self.TEXT, name), name)

    def test_a_page_and_fish(self):
        self.assertTrue(named.has(named.written("usr/share/man/man1/frob.1.gz", rb"\fB\-\-out\fP \fB\-o\fIdir\fP"), "-o"))
        self.assertTrue(named.has(named.written("frob.fish", b"complete -c frob -s q -l quiet"), "--quiet"))

    def test_what_none_names(self):
        held = {"options": {"-a, --all": "flag", "--help": "flag"}, "subcommands": {"add": {"options": {"--deep": "flag"}}}}
        self.assertEqual(named.missing(held, [("help", self.TEXT.encode())]), [("", "--all")])
        self.assertEqual(named.missing(held, [("help", b"-a --all")]), [("add", "--deep")])


class Skeleton(unittest.TestCase):
    def test_it_asks_for_labels_and_holds_no_words(self):
        text = sources.Text("man", "usr/share/man/man1/frob.1.gz", b"the page", "frobber", "1:2-3")
        found = [
            option("-q --quiet", words="Hush now."),
            option("-r", words="Removes all of it."),
            option("-o --out", "value", value="FILE"),
            option("-n", "value", value="NUM"),
            option("--help"),
        ]
        said = skeleton.skeleton("frob", text, found, {"add": [option("-f")]})
        for word in ("Hush", "Removes", "FILE", "NUM", "--help"):
            self.assertNotIn(word, said)
        held = yaml.safe_load(said)
        self.assertEqual(held["options"], {"-q, --quiet": "flag", "-r": "flag ?", "-o, --out": "value ?", "-n": "value"})
        self.assertEqual(held["source"]["version"], "1:2-3")
        self.assertEqual(held["source"]["sha256"], text.sha256)
        self.assertEqual(held["subcommands"]["add"]["options"], {"-f": "flag"})


class Fill(unittest.TestCase):
    TEXT = sources.Text("man", "usr/share/man/man1/frob.1.gz", b"the page", "frobber", "1:2-3")
    HELD = {
        "name": "frob",
        "source": {},
        "operands": ["reads"],
        "options": {"-o": "value creates", "-u, --until": "value", "-x": "flag", "-i, --in-place": "flag in-place"},
        "unlisted": "flag",
        "traits": ["holds-input"],
    }

    def test_labels_stay_and_kinds_come_from_the_manual(self):
        manual = [
            option("-o --out", "value", value="FILE"),
            option("-u"),
            option("-i --in-place", "maybe", value="SUFFIX"),
            option("--help"),
        ]
        filled = fill.Filled(self.HELD, self.TEXT, manual)
        held = yaml.safe_load(str(filled))
        self.assertEqual(held["options"], {"-o, --out": "value creates", "-u": "flag", "-i, --in-place": "maybe ?"})
        self.assertEqual(held["source"]["page"], "frob.1")
        self.assertEqual(held["traits"], ["holds-input"])
        self.assertNotIn("unlisted", held)
        self.assertEqual(
            filled.notes,
            [
                "-u: the file says value, the manual flag",
                "-i, --in-place: the file says flag in-place, the manual maybe",
                "--until: value in the file, not in the manual: left out",
                "-x: flag in the file, not in the manual: left out",
            ],
        )

    def test_a_key_that_it_does_not_know_is_not_lost(self):
        with self.assertRaisesRegex(ValueError, "frob: unknown key colour"):
            fill.Filled({**self.HELD, "colour": "red"}, self.TEXT, [])

    def test_what_is_written_reads_the_same(self):
        held = {"name": "yes", "also": [{"name": "y", "source": "a page, its end"}], "operands": ["reads"],
                "examples": [{"run": "frob -a 'b: c' # d", "gives": ["read read a, b", "spawn run frob"]}]}
        said = yaml.safe_load(str(fill.Filled(held, self.TEXT, [option("-1 -#"), option("--no")])))
        self.assertEqual(said["name"], "yes")
        self.assertEqual(said["also"], held["also"])
        self.assertEqual(said["examples"], held["examples"])
        self.assertEqual(said["options"], {"-1, -#": "flag", "--no": "flag"})


class Check(unittest.TestCase):
    MANUAL = [option("-q --quiet"), option("-o --out", "value"), option("--help")]

    def test_a_number_for_many(self):
        manual = [option("-#")]
        self.assertEqual(check.compare({"-1, -9": "flag"}, manual), [])
        self.assertEqual(len(check.compare({"-1, -x": "flag"}, manual)), 1)

    def test_tables(self):
        cases = {
            "the same": ({"-q, --quiet": "flag", "-o, --out": "value creates"}, []),
            "one too many": ({"-q, --quiet": "flag", "-o, --out": "value", "-z": "flag"}, ["-z: is in the file, and not in the manual"]),
            "one too few": ({"-q, --quiet": "flag", "-o": "value"}, ["--out: is in the manual (value), and not in the file"]),
            "another arity": ({"-q, --quiet": "value", "-o, --out": "value"}, [
                "--quiet: is a value in the file, the manual says flag", "-q: is a value in the file, the manual says flag"]),
        }
        for name, (options, want) in cases.items():
            with self.subTest(name):
                self.assertEqual([str(d) for d in check.compare(options, self.MANUAL)], want)
