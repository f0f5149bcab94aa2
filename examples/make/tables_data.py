"""The databases and lists that the family `tables` works on."""

from __future__ import annotations

import random
from dataclasses import dataclass

NAMES = (
    "Ada Brook",
    "Ben Carr",
    "Cleo Dunn",
    "Dov Ebel",
    "Elin Fox",
    "Finn Gray",
    "Gita Hale",
    "Hugo Iver",
    "Ivy Jory",
)


@dataclass(frozen=True)
class Base:
    """One small database: people, and facts about them."""

    name: str
    people: str  # the table of people
    facts: str  # the table of facts
    person: str
    kind: str
    kinds: tuple[str, ...]
    amount: str
    void: str  # the status of facts that do not count, in two spellings
    good: str
    since: str
    until: str
    more: int  # per cent to add in the update

    @property
    def void_spellings(self) -> tuple[str, str]:
        return self.void, self.void.upper()

    def rows(self) -> tuple[list[tuple[int, str, str]], list[tuple[int, int, str, int, str, str]]]:
        """People (the last is the first once more, with another id) and facts."""
        rng = random.Random(self.name)
        people = [(i, n, mail(n)) for i, n in enumerate(NAMES, 1)]
        people.append((len(people) + 1, NAMES[0], mail(NAMES[0])))
        facts = []
        for i in range(1, 61):
            status = rng.choice((self.good,) * 6 + self.void_spellings)
            day = f"2025-{rng.randint(1, 12):02d}-{rng.randint(1, 28):02d}"
            facts.append((i, rng.randint(2, len(NAMES)), rng.choice(self.kinds), rng.randint(2, 40), day, status))
        best = max(sum(f[3] for f in facts if f[1] == p) for p in range(1, 10))
        facts.append((61, 1, self.kinds[0], best - 3, "2025-05-05", self.good))
        facts.append((62, 10, self.kinds[1], 9, "2025-06-06", self.good))
        return people, facts

    def sql(self) -> str:
        """Statements that make the database."""
        people, facts = self.rows()
        out = [
            f"CREATE TABLE {self.people} (id INTEGER PRIMARY KEY, name TEXT, email TEXT);",
            f"CREATE TABLE {self.facts} (id INTEGER PRIMARY KEY, {self.person}_id INTEGER, {self.kind} TEXT, {self.amount} REAL, day TEXT, status TEXT);",
        ]
        out += [f"INSERT INTO {self.people} VALUES ({i}, '{n}', '{m}');" for i, n, m in people]
        out += [f"INSERT INTO {self.facts} VALUES ({i}, {p}, '{k}', {a}, '{d}', '{s}');" for i, p, k, a, d, s in facts]
        return "\n".join(out) + "\n"

    def total(self) -> int:
        """The right answer to `sum`."""
        _, facts = self.rows()
        return sum(
            a for _, _, k, a, d, s in facts if k == self.kinds[0] and self.since <= d <= self.until and s == self.good
        )

    def leader(self) -> str:
        """The right answer to `top`."""
        people, facts = self.rows()
        sums: dict[str, int] = {}
        for _, p, _, a, _, _ in facts:
            sums[people[p - 1][2]] = sums.get(people[p - 1][2], 0) + a
        return max(sums, key=lambda m: sums[m])

    def updated(self) -> dict[int, float]:
        """The amounts by id after the right `update`."""
        _, facts = self.rows()
        return {
            i: round(a * (1 + self.more / 100), 2)
            if k == self.kinds[1] and d >= self.since and s == self.good
            else float(a)
            for i, _, k, a, d, s in facts
        }

    def raw(self) -> str:
        """The untidy list for `clean`."""
        rng = random.Random(self.name + "raw")
        lines = ["name, email ,joined"]
        for i, n in enumerate(NAMES):
            year, month, day = 2025, rng.randint(1, 12), rng.randint(1, 28)
            when = f"{day:02d}.{month:02d}.{year}" if i % 3 == 1 else f"{year}-{month:02d}-{day:02d}"
            lines.append(f" {n} ,{mail(n).upper() if i % 4 == 0 else mail(n)}, {when}")
            if i % 3 == 0:
                lines.append(f"{n},{mail(n)},{when}")
        return "\n".join(lines) + "\n"

    def cleaned(self) -> str:
        """The right content of clean.csv."""
        rows: dict[str, tuple[str, str]] = {}
        for line in self.raw().splitlines()[1:]:
            name, email, when = (x.strip() for x in line.split(","))
            if "." in when:
                when = "-".join(reversed(when.split(".")))
            rows.setdefault(email.lower(), (name, when))
        return "name,email,joined\n" + "".join(f"{n},{m},{w}\n" for m, (n, w) in sorted(rows.items()))


def mail(name: str) -> str:
    return f"{name.lower().replace(' ', '.')}@list.example"


BASES = (
    Base(
        "coop",
        "members",
        "orders",
        "member",
        "category",
        ("bread", "cheese", "fruit"),
        "euros",
        "cancelled",
        "paid",
        "2025-03-01",
        "2025-09-30",
        10,
    ),
    Base(
        "gym",
        "guests",
        "bookings",
        "guest",
        "course",
        ("yoga", "rowing", "boxing"),
        "minutes",
        "missed",
        "attended",
        "2025-02-01",
        "2025-10-31",
        20,
    ),
    Base(
        "archive",
        "readers",
        "loans",
        "reader",
        "genre",
        ("maps", "letters", "films"),
        "days",
        "void",
        "closed",
        "2025-04-01",
        "2025-12-31",
        50,
    ),
)
