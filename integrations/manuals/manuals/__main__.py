"""python -m manuals: finds, shows and checks the manuals of programs."""

import argparse
import sys
from pathlib import Path

from . import check, commands, completions, fill, options, page, programs, skeleton, sources

PROGRAMS = Path(__file__).parents[3] / "internal/gates/shell/programs"


def grammar(text):
    """The options that a text lists."""
    if text.kind == "man":
        return options.read(page.render(text.data))
    if text.kind == "zsh":
        return completions.zsh(text.data.decode("utf-8", "replace"))
    if text.kind == "fish":
        return completions.fish(text.data.decode("utf-8", "replace")).get("", [])
    return options.read(page.plain(text.data.decode("utf-8", "replace")), page=False)


def opened(debian, args, words=()):
    """The manual of a program: its page, its completion data, or its help."""
    if not args.help_text:
        try:
            return debian.open(args.name, args.package)
        except sources.NotFound:
            pass
    owners = [p for _, p in debian.find(args.name).programs if args.package in ("", p)]
    if not owners and not args.installed:
        raise sources.NotFound(f"{args.name}: no package of Debian {debian.dir.name} ships it; "
                               "install it from where its makers say, and use --installed PACKAGE=VERSION")
    if args.installed:
        package, _, version = args.installed.partition("=")
        return programs.help_text(args.name, words, package=package, version=version, asking=args.asking)
    deb = debian.download(owners[0])
    return programs.help_text(args.name, words, deb, owners[0], sources.version_of(deb), args.asking)


def show(debian, args):
    """Prints a program's options with the manual's words, to label them by."""
    text = opened(debian, args)
    print(f"{args.name}: {text.kind} {text.name} of {text.package} {text.version}")
    for o in grammar(text):
        print(f"  {', '.join(o.names):32} {o.takes:6} {o.value:12} {o.words[:70]}")


def draft(debian, args):
    """Prints the skeleton of a program's file."""
    text = opened(debian, args)
    subs = {}
    for sub, (path, package) in sorted(commands.pages(debian, args.name).items()):
        subs[sub] = grammar(debian.text(path, package))
    if not subs and text.kind == "help":
        for sub in commands.listed(page.plain(text.data.decode("utf-8", "replace"))):
            try:
                subs[sub] = grammar(opened(debian, args, (sub,)))
            except sources.NotFound as err:
                print(f"manuals: {err}", file=sys.stderr)
    sys.stdout.write(skeleton.skeleton(args.name, text, grammar(text), subs))


def refill(debian, args):
    """Prints a file that has no source with its manual's options and its own labels."""
    held = check.load(PROGRAMS / f"{args.name}.yaml")
    text = opened(debian, args)
    filled = fill.Filled(held, text, grammar(text))
    sys.stdout.write(str(filled))
    for note in filled.notes:
        print(f"manuals: {note}", file=sys.stderr)


def compare(debian, args):
    """Checks files against their manuals. Status 1 says that they differ."""
    paths = [Path(p) for p in args.files] or sorted(PROGRAMS.glob("*.yaml"))
    if not paths:
        raise sources.NotFound(f"{PROGRAMS} holds no file")
    count = dict.fromkeys(("same text", "differ"), 0)
    for path in paths:
        held = check.load(path)
        said, differences = checked(debian, held)
        count["same text"] += said == "same text"
        count["differ"] += bool(differences)
        print(f"{held['name']}: {said}, {len(differences)} differences")
        for d in differences:
            print(f"  {d}")
    print(f"{len(paths)} files: {count['same text']} opened again with the same text; {count['differ']} differ from their manual")
    return 1 if count["differ"] else 0


def checked(debian, held):
    src = held["source"]
    args = argparse.Namespace(name=held["name"], package=src.get("package", ""), help_text=src["kind"] == "help text",
                              installed="", asking="--help")
    try:
        text = opened(debian, args)
    except sources.NotFound as err:
        return f"not opened ({err})", []
    said = "same text" if text.sha256 == src.get("sha256") else f"another text ({text.package} {text.version})"
    if held.get("arguments") == "language":  # read by Go code, not by a list of options
        return said, []
    differences = check.compare(held.get("options"), grammar(text))
    pages = commands.pages(debian, held["name"])
    for sub, what in (held.get("subcommands") or {}).items():
        if sub in pages and isinstance(what, dict):
            differences += check.compare(what.get("options"), grammar(debian.text(*pages[sub])), sub)
    return said, differences


def count(debian, args):
    """Counts what a first look finds for names on standard input."""
    kinds = {}
    for name in sorted(set(sys.stdin.read().split())):
        kinds.setdefault(debian.find(name).kind, []).append(name)
    for kind, names in sorted(kinds.items(), key=lambda k: -len(k[1])):
        print(f"{len(names):5} {kind}" + ("".join("\n        " + n for n in names) if args.list else ""))
    return 0


def main(argv):
    p = argparse.ArgumentParser(prog="manuals", description=__doc__)
    p.add_argument("--suite", default=sources.SUITE, help="Debian's suite")
    sub = p.add_subparsers(dest="command", required=True)
    for name, run in (("show", show), ("draft", draft), ("fill", refill)):
        c = sub.add_parser(name, help=run.__doc__)
        c.set_defaults(run=run)
        c.add_argument("name")
        c.add_argument("--package", default="", help="the package, where several ship the name")
        c.add_argument("--help-text", action="store_true", help="ask the program for help and leave its page alone")
        c.add_argument("--asking", default="--help", help="how it is asked for help")
        c.add_argument("--installed", default="", metavar="PACKAGE=VERSION", help="the program is installed here, from this package")
    c = sub.add_parser("check", help=compare.__doc__)
    c.set_defaults(run=compare)
    c.add_argument("files", nargs="*")
    c = sub.add_parser("count", help=count.__doc__)
    c.set_defaults(run=count)
    c.add_argument("--list", action="store_true", help="with the names")
    args = p.parse_args(argv)
    try:
        return args.run(sources.Debian(suite=args.suite), args) or 0
    except (sources.NotFound, ValueError) as err:
        print(f"manuals: {err}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
