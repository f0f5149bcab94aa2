"""Says which options of a program's file stand nowhere in the texts that it says were opened.

A text may name an option in a list, in its usage line or in running text; each
of them counts. That it is named says nothing of what it does.
"""

import re

from . import page
from .sources import files, member, version_of

ENTRY = re.compile(r"[\w.+@:\[-]+\.[1-8][a-z]*")
OWN = {"--help", "--version"}  # always known, whatever stands in a file


def opened(debian, source):
    """The texts of a source that Debian's packages hold: [(its name, its bytes)], and whether the versions are the same."""
    said = str(source.get("page", ""))
    packages = [p for p in re.split(r"[,;\s]+", source.get("package", "")) if p]
    packages += re.findall(r"the pages of ([\w.+-]+)", said)
    every = re.search(r"\bpages?\b", said) is not None
    names = ENTRY.findall(said)
    paths = re.findall(r"(?:usr|etc|lib)/[^\s,;]+", said)
    kind = source.get("kind")
    found, same = [], True
    for package in packages:
        deb = debian.download(package)
        same = same and version_of(deb) in source.get("version", "") + said
        for path in files(deb):
            last = path.rsplit("/", 1)[-1].removesuffix(".gz")
            wanted = path in paths or kind == "completion" and last in said.split()
            if re.search(r"/man/man[1-8]/", path):
                wanted = wanted or last in names
                wanted = wanted or every and any(last.startswith(n.rsplit(".", 1)[0] + "-") for n in names)
            if wanted:
                found.append((path, member(deb, path)))
    return sorted(found, key=lambda f: place(said, f[0])), same


def place(said, path):
    """Where a source names a text: sums are of the texts in that order."""
    last = path.rsplit("/", 1)[-1].removesuffix(".gz")
    return said.find(path if path in said else last) % (1 << 20), path


def written(name, data):
    """A text as it is written, with a page's marks undone, and the words of fish that name an option put together."""
    text = data.decode("utf-8", "replace")
    if name.endswith(".fish"):
        return re.sub(r"\s(?:-s|--short-option)[ =]?(\S)\b", r" -\1 ", re.sub(r"\s(?:-l|--long-option)[ =]?([\w-]+)", r" --\1 ", text))
    if "/man/" not in name:
        return text
    text = re.sub(r"\\-|\\\((?:hy|en)", "-", text).replace(r"-\[em]", "--")
    text = re.sub(r"(?<![\w-])(-\w)(?=\\f)", r"\1 ", text)  # -oFILE, where FILE is set otherwise
    return re.sub(r"\\f(?:\[\w*\]|\(..|.)|\\[&/,|^%]|\\s[-+]?\d", "", text)


def rendered(name, data):
    """A page as it is read."""
    return "\n".join(line.text for line in page.render(data)) if "/man/" in name else ""


def elsewhere(source):
    """Files that a source names and no package of Debian holds."""
    said = re.findall(r"(?<![\w/])[\w*-]+/[\w*/.-]+\.\w+", str(source.get("page", "")))
    return [path for path in said if not path.startswith(("usr/", "etc/", "lib/"))]


def has(text, name):
    """Whether a text names an option. -x may stand among others (-axv), --no-x in --[no-]x, -9 in a range,
    and a search tool's --type where the type is added."""
    if re.search(r"(?<![\w-])" + re.escape(name) + r"(?![\w-])", text):
        return True
    if re.fullmatch(r"-\d+", name) and re.search(r"(?<![\w-])-(?:#|NUM|ADJUSTMENT|<n(?:um(?:ber)?)?>|<level>|\d+\s?(?:\.\.+|…|-|to|through)\s?-\d)", text):
        return True
    if name[:2] == "--" and re.search(r"--type-(?:add|set)=" + re.escape(name[2:]) + ":", text):
        return True
    if m := re.fullmatch(r"(--?)(no-?)?([^-].+)", name):
        if re.search(re.escape(m[1]) + r"[\[(]no-?[\])]" + re.escape(m[3]) + r"(?![\w-])", text):
            return True
    if re.fullmatch(r"[-+][A-Za-z]", name):
        if re.search(r"(?<![\w-])" + re.escape(name) + r"(?=[A-Z<\[{_=]|\d|(?:dir|file|macro|n|num|sym)(?![\w-]))", text):
            return True
        return re.search(r"\[\s?-\w*" + re.escape(name[1]) + r"\w*[\]\s|]", text) is not None
    return False


def options(held):
    """(words of the subcommand, name) of each option of a file."""
    def walk(what, where):
        for names in what.get("options") or {}:
            for name in names.split(","):
                yield where, name.strip()
        for sub, below in (what.get("subcommands") or {}).items():
            if isinstance(below, dict):
                yield from walk(below, f"{where} {sub}".strip())
        if isinstance(what.get("alone"), dict):
            yield from walk(what["alone"], where)
    return list(walk(held, ""))


def missing(held, texts):
    """The options of a file that none of its texts names."""
    left = {name for _, name in options(held)} - OWN
    for shown in (written, rendered):
        for name, data in texts:
            text = shown(name, data) if left else ""
            left = {n for n in left if not has(text, n)}
    return [(where, name) for where, name in options(held) if name in left]
