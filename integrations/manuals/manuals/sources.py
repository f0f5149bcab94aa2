"""Finds what ships a program, and opens its manual.

Debian's own index says which package ships a program and its pages. Packages
of other registries are never guessed from a program's name, for a stranger may
own that name: they are named by hand.
"""

import functools
import gzip
import hashlib
import io
import os
import re
import subprocess
import tarfile
import urllib.parse
from dataclasses import dataclass, field
from pathlib import Path

CACHE = Path(os.environ.get("MANUALS_CACHE", Path.home() / ".cache" / "gbt-manuals"))
SUITE = "trixie"

# Where Debian's policy puts programs, and where packages put pages and completion data.
PROGRAM = re.compile(r"(?:usr/)?(?:s?bin|games)/([^/]+)")
PAGE = re.compile(r"usr/share/man/man[18]/(.+)\.[18][a-z]*\.gz")
COMPLETION = re.compile(
    r"usr/share/(?:zsh/(?:vendor-completions|functions(?:/.*)?)/_([^/]+)"
    r"|fish/(?:completions|vendor_completions\.d)/([^/]+)\.fish)"
)
KEPT = re.compile(r"(?:usr/)?(?:s?bin|games)/|usr/share/(?:man/man[18]|zsh|fish)/")

APT = """\
Dir::State::lists "{dir}/lists";
Dir::Cache "{dir}/cache";
Dir::Etc::sourcelist "{dir}/sources.list";
Dir::Etc::sourceparts "-";
APT::Architectures "amd64";
APT::Sandbox::User "root";
Acquire::Languages "none";
Acquire::IndexTargets::deb::Contents-deb {{
  MetaKey "$(COMPONENT)/Contents-$(ARCHITECTURE)";
  ShortDescription "Contents"; Description "Contents $(ARCHITECTURE)"; KeepCompressed "true";
}};
"""


class NotFound(Exception):
    """Nothing ships the program, or what ships it holds no manual."""


@dataclass
class Text:
    """An opened text: of a page, a completion file or a program's help."""

    kind: str  # man, zsh, fish, help or document
    name: str  # the path in its package, or the arguments that printed it
    data: bytes
    package: str = ""
    version: str = ""

    @property
    def sha256(self):
        return hashlib.sha256(self.data).hexdigest()

    @property
    def lines(self):
        return self.data.decode("utf-8", "replace").splitlines()


@dataclass
class Found:
    """The packages that ship a program, and the texts that describe it."""

    name: str
    programs: list = field(default_factory=list)  # (path, package)
    pages: list = field(default_factory=list)
    completions: list = field(default_factory=list)

    @property
    def kind(self):
        """What kind of manual a first look finds."""
        owners = {sources_of(p) for _, p in self.programs}
        if any(sources_of(p) in owners for _, p in self.pages):
            return "man"
        if self.completions and self.programs:
            return "completion"
        if self.programs:
            return "help"
        return "page without program" if self.pages else "none"


class Debian:
    """The packages of one suite, in lists of their own beside the system's."""

    def __init__(self, cache=CACHE, suite=SUITE):
        self.dir = cache / suite
        self.debs = self.dir / "debs"
        self._contents = None

    def apt(self, *args, cwd=None):
        env = dict(os.environ, APT_CONFIG=str(self.dir / "apt.conf"))
        return subprocess.run(["apt-get", "-q", *args], env=env, cwd=cwd, check=True, capture_output=True, text=True)

    def update(self):
        """Fetches the suite's index."""
        for d in ("lists/partial", "cache/archives/partial", "debs"):
            (self.dir / d).mkdir(parents=True, exist_ok=True)
        (self.dir / "apt.conf").write_text(APT.format(dir=self.dir))
        key = "/usr/share/keyrings/debian-archive-keyring.gpg"
        (self.dir / "sources.list").write_text(f"deb [signed-by={key}] http://deb.debian.org/debian {self.dir.name} main\n")
        self.apt("update")
        with open(self.index, "w") as out:
            for part in sorted((self.dir / "lists").glob("*_Contents-*")):
                text = subprocess.run(["/usr/lib/apt/apt-helper", "cat-file", part], check=True, capture_output=True).stdout
                out.writelines(l + "\n" for l in text.decode().splitlines() if KEPT.match(l))

    @property
    def index(self):
        return self.dir / "index"

    @property
    def contents(self):
        """Path and package of each program, page and completion file, by the program's name."""
        if self._contents is None:
            if not self.index.exists():
                self.update()
            self._contents = by_name(self.index.read_text().splitlines())
        return self._contents

    def find(self, name):
        return self.contents.get(name, Found(name))

    def open(self, name, package=""):
        """The manual of a program: its page, else completion data, else nothing."""
        found = self.find(name)
        owners = {sources_of(p) for _, p in found.programs}
        for kind, files in (("man", found.pages), ("completion", found.completions)):
            for path, owner in files:
                if package in ("", owner) and (kind != "man" or package or sources_of(owner) in owners):
                    return self.text(path, owner)
        raise NotFound(f"{name}: no package of Debian {self.dir.name} ships its page; name another source by hand")

    def text(self, path, package):
        deb = self.download(package)
        kind = "man" if "/man/" in path else "fish" if path.endswith(".fish") else "zsh"
        return Text(kind, path, member(deb, path), package, version_of(deb))

    def download(self, package):
        held = sorted(self.debs.glob(f"{package}_*.deb"))
        if not held:
            self.apt("download", package, cwd=self.debs)
            held = sorted(self.debs.glob(f"{package}_*.deb"))
        return held[-1]


def by_name(lines):
    """Sorts lines of Debian's Contents by the program that they are about."""
    found = {}
    for line in lines:
        path, _, owners = line.rstrip().rpartition(" ")
        path = path.rstrip()
        for kind, pattern in (("programs", PROGRAM), ("pages", PAGE), ("completions", COMPLETION)):
            m = pattern.fullmatch(path)
            if not m:
                continue
            name = next(g for g in m.groups() if g)
            for owner in owners.split(","):
                getattr(found.setdefault(name, Found(name)), kind).append((path, owner.rpartition("/")[2]))
    for f in found.values():
        for files in (f.programs, f.pages, f.completions):
            files.sort(key=lambda pair: (len(pair[1]), pair))
    return found


def sources_of(package):
    """What packages of one source have in common, roughly: git and git-man."""
    return re.sub(r"-(man|doc|common|data|bin|utils|tools|core)$", "", package)


def version_of(deb):
    return urllib.parse.unquote(deb.name.split("_")[1])


@functools.lru_cache(maxsize=2)
def unpacked(deb):
    return subprocess.run(["dpkg-deb", "--fsys-tarfile", deb], check=True, capture_output=True).stdout


@functools.lru_cache(maxsize=2)
def files(deb):
    """The paths of a package's files."""
    with tarfile.open(fileobj=io.BytesIO(unpacked(deb))) as tar:
        return [m.name.removeprefix("./") for m in tar if not m.isdir()]


def member(deb, path):
    """A file of a package, unpacked if it is gzipped, links followed."""
    for _ in range(4):
        with tarfile.open(fileobj=io.BytesIO(unpacked(deb))) as tar:
            try:
                info = tar.getmember("./" + path)
            except KeyError:
                raise NotFound(f"{deb.name} holds no {path}: it is a link into another package") from None
            if info.issym():
                path = os.path.normpath(os.path.join("/", os.path.dirname(path), info.linkname)).lstrip("/")
                continue
            text = tar.extractfile(info).read()
        text = gzip.decompress(text) if path.endswith(".gz") else text
        m = re.match(rb"\s*\.so\s+(\S+)", text)
        if not m:
            return text
        path = f"usr/share/man/{m[1].decode()}.gz"
    raise NotFound(f"{deb.name}: {path} leads from page to page")
