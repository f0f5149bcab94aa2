"""Prints a program's help text in a sandbox without network."""

import shutil
import subprocess
import tempfile

from .sources import NotFound, Text

SECONDS = 20


def unpack(deb, into):
    subprocess.run(["dpkg-deb", "-x", deb, into], check=True, capture_output=True)


def sandboxed(argv, root=""):
    """The command line of argv where it can read the system and change nothing;
    what a package ships stands in /pkg."""
    line = ["bwrap", "--unshare-all", "--die-with-parent", "--new-session", "--ro-bind", "/usr", "/usr"]
    for part in ("/bin", "/sbin", "/lib", "/lib64"):
        line += ["--symlink", "usr" + part, part]
    line += ["--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp", "--dir", "/home/user", "--clearenv"]
    line += ["--setenv", "HOME", "/home/user", "--setenv", "PATH", "/pkg/usr/bin:/pkg/usr/games:/usr/bin:/usr/sbin"]
    line += ["--setenv", "COLUMNS", "160", "--setenv", "LC_ALL", "C.UTF-8", "--chdir", "/home/user"]
    if root:
        line += ["--ro-bind", root, "/pkg"]
        line += ["--setenv", "LD_LIBRARY_PATH", "/pkg/usr/lib/x86_64-linux-gnu:/pkg/usr/lib"]
        line += ["--setenv", "PYTHONPATH", "/pkg/usr/lib/python3/dist-packages:/pkg"]
    return line + ["--", *argv]


def help_text(name, words=(), deb=None, package="", version="", asking="--help"):
    """What a program prints when it is asked for help."""
    if not shutil.which("bwrap"):
        raise NotFound("bwrap is not installed: programs are asked for help in its sandbox only")
    with tempfile.TemporaryDirectory() as root:
        if deb:
            unpack(deb, root)
        argv = [name, *words, asking]
        try:
            done = subprocess.run(sandboxed(argv, root), capture_output=True, timeout=SECONDS, stdin=subprocess.DEVNULL)
        except subprocess.TimeoutExpired:
            raise NotFound(f"{name}: {asking} did not end in {SECONDS} s") from None
    out = done.stdout if len(done.stdout) > len(done.stderr) else done.stderr
    if len(out.splitlines()) < 2:
        raise NotFound(f"{name}: {' '.join(argv)} printed no help (status {done.returncode}): {out[:120]!r}")
    return Text("help", " ".join(argv), out, package, version)
