"""Rewrites what differs between two runs of the same agent on the same script.

Only times, durations, random ids, temporary paths, ports and names of this
machine are replaced, each by a fixed value of the same kind; examples/logs/README.md
lists them. Everything else stays as the agent's software wrote it.
"""

from __future__ import annotations

import getpass
import hashlib
import re
import socket
import sys
from datetime import UTC, datetime, timedelta
from typing import Any

START = datetime(2026, 1, 5, 9, 0, tzinfo=UTC)

# Keys whose value is a moment: each gets the next second after START.
MOMENTS = {"timestamp", "created", "started_at", "completed_at", "completed", "created_at"}
# Keys whose value is a length of time.
SPANS = {"latency", "time", "working_start", "working_time", "total_time", "duration", "elapsed_seconds"}

WORKSPACE = re.compile(r"/tmp/gbt-[A-Za-z0-9_]{8}\b")
RANDOM_ID = re.compile(r"\b[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}\b")
SHORT_ID = re.compile(r"[A-Za-z0-9]{22}")
SHORT_PATH = re.compile(r"(?<=/tmp/)[A-Za-z0-9]{22}\b")
REPLACED = [
    (WORKSPACE, "/workspace"),
    (re.compile(r"http://127\.0\.0\.1:\d+"), "http://127.0.0.1:8000"),
    (re.compile(r"\bin \d+\.\d{3}s\b"), "in 0.001s"),  # unittest: "Ran 3 tests in 0.002s"
]


class Scrubber:
    """Rewrites the values of one episode; ids and moments are numbered in order of appearance."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.ids: dict[str, str] = {}
        self.seconds = 0
        places = {sys.prefix: "/opt/venv", sys.base_prefix: "/usr"}
        self.places = sorted(places.items(), key=lambda p: -len(p[0]))

    def value(self, v: Any, key: str = "") -> Any:
        """The value with every rule applied, in place of one found under the key."""
        if isinstance(v, dict):
            if isinstance(v.get("path"), str) and "op" in v:  # a JSON patch, its key is in its path
                return v | {"value": self.value(v.get("value"), v["path"].rsplit("/", 1)[-1])} if "value" in v else v
            return {self.text(k): self.value(x, k) for k, x in v.items()}
        if isinstance(v, list):
            return [self.value(x, key) for x in v]
        if key in MOMENTS and isinstance(v, (str, int, float)) and not isinstance(v, bool):
            return self.moment(v)
        if key in SPANS and isinstance(v, (int, float)) and not isinstance(v, bool):
            return 0
        if key == "hostname":
            return "workshop"
        if key == "username":
            return "agent"
        return self.text(v) if isinstance(v, str) else v

    def moment(self, old: str | float) -> str | float:
        """The next second, in the shape of the old value."""
        self.seconds += 1
        new = START + timedelta(seconds=self.seconds)
        if not isinstance(old, str):
            return int(new.timestamp())
        zone = re.search(r"(Z|[+-]\d\d:\d\d)$", old)
        return new.strftime("%Y-%m-%dT%H:%M:%S") + (zone.group(1) if zone else "")

    def text(self, text: str) -> str:
        """A string with paths, ports, ids and durations replaced."""
        for old, new in self.places:
            text = text.replace(old, new)
        for pattern, new in REPLACED:
            text = pattern.sub(new, text)
        if SHORT_ID.fullmatch(text) and any(not c.islower() for c in text):
            return self.ident(text)
        text = SHORT_PATH.sub(lambda m: self.ident(m.group()), text)
        return RANDOM_ID.sub(lambda m: self.ident(m.group()), text)

    def ident(self, old: str) -> str:
        """The id that stands for a random one: a hash of the episode's name and a count, in the same shape."""
        bare = old.replace("-", "")
        if bare not in self.ids:
            digest = hashlib.sha256(f"{self.name}/{len(self.ids)}".encode()).hexdigest()
            self.ids[bare] = digest[: len(bare)]
        new = self.ids[bare]
        if "-" not in old:
            return new
        return "-".join((new[:8], new[8:12], new[12:16], new[16:20], new[20:]))


def machine_names() -> list[str]:
    """Names of this machine and user, none of which may be left in a log."""
    return [n for n in (socket.gethostname(), getpass.getuser()) if len(n) > 3 and n != "root"]
