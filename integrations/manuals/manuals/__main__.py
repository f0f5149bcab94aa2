"""python -m manuals: finds, shows and checks the manuals of programs."""

import argparse
import hashlib
import subprocess
import sys
from pathlib import Path

from . import check, commands, completions, fill, named, options, page, programs, skeleton, sources

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
    """Checks files against the texts that they name. Status 1 says that an option stands in none of them."""
    paths = [Path(p) for p in args.files] or sorted(PROGRAMS.glob("*.yaml"))
    if not paths:
        raise sources.NotFound(f"{PROGRAMS} holds no file")
    count = dict.fromkeys(("opened", "same", "invented"), 0)
    for path in paths:
        held = check.load(path)
        try:
            texts, said = reopened(debian, held)
        except (sources.NotFound, subprocess.CalledProcessError) as err:
            print(f"{path.name}: not opened ({err})")
            continue
        count["opened"] += 1
        count["same"] += said == "same text"
        invented = named.missing(held, texts)
        if invented and (others := named.elsewhere(held["source"])):
            print(f"{path.name}: {len(invented)} options are of {', '.join(others)}, not opened")
            invented = []
        count["invented"] += len(invented)
        if invented or args.differences or said != "same text":
            print(f"{path.name}: {said}")
        for where, name in invented:
            print(f"{path.name}: {where + ' ' if where else ''}{name}: no opened text names it")
        for d in differences(debian, held) if args.differences else ():
            print(f"  {d}")
    print(f"{len(paths)} files: {count['opened']} opened again, {count['same']} with the same text; "
          f"{count['invented']} options that no text names")
    return 1 if count["invented"] else 0


def arguments(held):
    src = held["source"]
    return argparse.Namespace(name=held["name"], package=src.get("package", ""), help_text=src["kind"] == "help text",
                              installed="", asking="--help")


def reopened(debian, held):
    """The texts that a file says were opened, and whether they are still the same."""
    src = held["source"]
    if src["kind"] == "document":
        raise sources.NotFound(f"a document: {src.get('package')} {src.get('version')} {src.get('page')}")
    if src["kind"] == "help text":
        text = opened(debian, arguments(held))
        asked = [text.data]
        for words in {w for w, _ in named.options(held) if w}:
            try:
                asked.append(opened(debian, argparse.Namespace(**vars(arguments(held))), words.split()).data)
            except sources.NotFound:
                pass
        same = text.sha256 == src.get("sha256")
        return [("help", data) for data in asked], "same text" if same else f"another text ({text.package} {text.version})"
    texts, same = named.opened(debian, src)
    if not texts:
        raise sources.NotFound(f"{src.get('package')} holds no {src.get('page')}")
    sums = {hashlib.sha256(data).hexdigest() for _, data in texts}
    sums.add(hashlib.sha256(b"".join(data for _, data in texts)).hexdigest())
    return texts, "same text" if src.get("sha256") in sums else "another text" + ("" if same else " of another version")


def differences(debian, held):
    """What the list of options of a manual says otherwise than a file."""
    if held.get("arguments") == "language":  # read by Go code, not by a list of options
        return []
    try:
        text = opened(debian, arguments(held))
    except sources.NotFound:
        return []
    found = check.compare(held.get("options"), grammar(text))
    pages = commands.pages(debian, held["name"])
    for sub, what in (held.get("subcommands") or {}).items():
        if sub in pages and isinstance(what, dict):
            found += check.compare(what.get("options"), grammar(debian.text(*pages[sub])), sub)
    return found


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
    c.add_argument("--differences", action="store_true", help="besides, what the manual's list of options says otherwise")
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
