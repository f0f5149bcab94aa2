"""Family `tables`: questions to small databases, an update, and a list to clean."""

from __future__ import annotations

import json
from collections.abc import Callable

from script import Script, Turn, turn
from style import Style
from tables_data import Base

KINDS = ("sum", "top", "clean", "update")

ASKED = {
    "sum": "The database {name}.db has the tables {people} and {facts}. What is the sum of {amount} in {facts} with {kind} '{k0}' from {since} to {until}? "
    "Rows with the status {void}, however it is spelled, do not count. Submit the number only.",
    "top": "In {name}.db, which {person} has the highest total of {amount} in {facts}? Some people are registered twice in {people} with the same e-mail "
    "address: they count as one. Submit the e-mail address.",
    "clean": "The file raw.csv is a list with untidy rows. Write clean.csv with the header name,email,joined: no spaces around values, e-mail in lower case, "
    "dates as YYYY-MM-DD, one row for each e-mail address, sorted by it. Submit 'done' when it is there.",
    "update": "In {name}.db, raise {amount} in {facts} by {more} per cent for all rows with {kind} '{k1}' from {since} on; leave out those with the status "
    "{void}, whatever its spelling. Submit the number of rows that you changed.",
}


def prompt(kind: str, b: Base) -> str:
    return ASKED[kind].format(k0=b.kinds[0], k1=b.kinds[1], **vars(b))


def sql(text: str, query: str) -> Turn:
    return turn(text, "run_sql", query=query)


def bash(text: str, command: str) -> Turn:
    return turn(text, "bash", command=command)


def submit(s: Style, answer: str) -> Script:
    yield turn(s.say("That is the answer.", "Submitting.", "I have what I need."), "submit", answer=answer)


def first_value(result: str) -> str:
    """The first value of the first row of an answer, empty if there is none."""
    try:
        rows = json.loads(result)["rows"]
    except (ValueError, KeyError):
        return ""
    return str(rows[0][0]) if rows else ""


def look(s: Style, b: Base) -> Script:
    """The tables and their columns, as far as this agent wants to know."""
    if s.does("explores"):
        yield turn(s.say("Which tables are there?", "I start with the list of tables."), "list_tables")
    for table in s.rng.sample([b.people, b.facts], 2) if s.does("explores") else [b.facts]:
        yield turn(
            s.say(f"The columns of {table}.", f"How is {table} built?", f"Describing {table} before I query it."),
            "describe_table",
            table=table,
        )
    if s.does("strays"):
        yield sql(
            s.say("A few rows to get a feeling for the data.", "Let me look at some rows."),
            s.pick(f"SELECT * FROM {b.facts} LIMIT 5", f"SELECT * FROM {b.facts}_old LIMIT 5"),
        )


def statuses(s: Style, b: Base) -> Script:
    yield sql(
        s.say(
            "Which spellings of the status exist?", "The status may be written in several ways, so I list the values."
        ),
        s.pick(f"SELECT DISTINCT status FROM {b.facts}", f"SELECT status, COUNT(*) FROM {b.facts} GROUP BY status"),
    )


def total(s: Style, b: Base) -> Script:
    yield from look(s, b)
    condition = f"status != '{b.void}'"
    if s.does("heeds"):
        yield from statuses(s, b)
        condition = s.pick(
            f"lower(status) != '{b.void}'", f"status = '{b.good}'", f"status NOT IN ('{b.void}', '{b.void.upper()}')"
        )
    query = f"SELECT SUM({b.amount}) FROM {b.facts} WHERE {b.kind} = '{b.kinds[0]}' AND day BETWEEN '{b.since}' AND '{b.until}' AND {condition}"
    if s.does("strays"):
        yield sql(s.say("Summing up."), query.replace("SUM(", "SUMME("))
    out = yield sql(
        s.say(
            "Now the sum itself.",
            f"Summing {b.amount} with all conditions.",
            "The query with the period and the status.",
        ),
        query,
    )
    if s.does("verifies"):
        yield sql(
            s.say("How many rows went into that?", "A check on the number of rows."),
            query.replace(f"SUM({b.amount})", "COUNT(*)"),
        )
    yield from submit(s, first_value(out[0]).removesuffix(".0"))


def top(s: Style, b: Base) -> Script:
    yield from look(s, b)
    group = "p.id"
    if s.does("heeds"):
        yield sql(
            s.say("Who is registered twice?", "The duplicates first, they have to be counted together."),
            f"SELECT email, COUNT(*) FROM {b.people} GROUP BY email HAVING COUNT(*) > 1",
        )
        group = "p.email"
    out = yield sql(
        s.say(
            f"Totals by {b.person}, highest first.", "The ranking.", "Joining the two tables and sorting by the sum."
        ),
        f"SELECT p.email, SUM(f.{b.amount}) AS total FROM {b.facts} f JOIN {b.people} p ON p.id = f.{b.person}_id GROUP BY {group} ORDER BY total DESC LIMIT 3",
    )
    yield from submit(s, first_value(out[0]))


def clean(s: Style, b: Base) -> Script:
    yield bash(
        s.say("What does the file look like?", "First a look at the raw rows."),
        s.pick("cat raw.csv", "head -20 raw.csv", "head -4 raw.csv"),
    )
    if s.does("explores"):
        yield bash(
            s.say("How many rows are there?", "Counting rows and duplicates."),
            s.pick("wc -l raw.csv", "cut -d, -f2 raw.csv | tr -d ' ' | tr A-Z a-z | sort | uniq -c"),
        )
    heeds = s.does("heeds")
    if heeds:
        yield bash(
            s.say("Are all dates in the same format?", "Checking the dates, they must come out the same."),
            "cut -d, -f3 raw.csv | sort | uniq | head -12",
        )
    convert = "    if '.' in when:\n        when = '-'.join(reversed(when.split('.')))\n" if heeds else ""
    program = (
        "rows = {}\nfor line in open('raw.csv').read().splitlines()[1:]:\n    name, email, when = (x.strip() for x in line.split(','))\n"
        f"{convert}    rows.setdefault(email.lower(), (name, when))\n"
        "with open('clean.csv', 'w') as out:\n    out.write('name,email,joined\\n')\n"
        "    for email, (name, when) in sorted(rows.items()):\n        out.write(f'{name},{email},{when}\\n')\n"
    )
    if s.rng.random() < 0.5:
        yield bash(
            s.say("A short Python program does all of it.", "Cleaning with Python."), f"python - <<'EOF'\n{program}EOF"
        )
    else:
        yield bash(
            s.say("I write a small script for this.", "Saving the steps as a script."),
            f"cat <<'EOF' > clean.py\n{program}EOF",
        )
        yield bash(s.say("Running it.", "And run."), "python clean.py")
    if s.does("verifies"):
        yield bash(s.say("Does the result look right?", "Checking the file."), "cat clean.csv")
    yield from submit(s, "done")


def update(s: Style, b: Base) -> Script:
    yield from look(s, b)
    condition = f"status != '{b.void}'"
    if s.does("heeds"):
        yield from statuses(s, b)
        condition = f"lower(status) != '{b.void}'"
    where = f"WHERE {b.kind} = '{b.kinds[1]}' AND day >= '{b.since}' AND {condition}"
    if s.does("verifies"):
        yield sql(
            s.say("How many rows would change?", "Counting before changing anything."),
            f"SELECT COUNT(*) FROM {b.facts} {where}",
        )
    yield sql(
        s.say("Now the update.", "Raising the values.", f"Updating {b.amount}."),
        f"UPDATE {b.facts} SET {b.amount} = ROUND({b.amount} * {1 + b.more / 100}, 2) {where}",
    )
    out = yield sql(
        s.say("How many rows is that?", "The number of rows for the answer."), f"SELECT COUNT(*) FROM {b.facts} {where}"
    )
    if s.does("verifies"):
        yield sql(
            s.say("A look at the changed rows.", "Checking some of them."),
            f"SELECT id, {b.amount}, status FROM {b.facts} {where} LIMIT 5",
        )
    yield from submit(s, first_value(out[0]))


SOLVE: dict[str, Callable[[Style, Base], Script]] = {"sum": total, "top": top, "clean": clean, "update": update}
