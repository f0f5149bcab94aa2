"""Runs Inspect on the family `tables`.

The task, the react agent, the sandbox (a local one), the scorer's plumbing and
the logs are Inspect's own; the tools are small ones over SQLite and bash.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.agent import as_solver, react
from inspect_ai.dataset import Sample
from inspect_ai.model import get_model
from inspect_ai.scorer import Score, Scorer, Target, accuracy, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.tool import Tool, tool
from inspect_ai.util import sandbox

import episodes
from scrub import Scrubber
from server import ScriptServer
from style import STYLES, style
from tables import SOLVE, prompt
from tables_data import BASES, Base
from task import FIXED_ENV

SQL = """import json, sqlite3, sys
db = sqlite3.connect(sys.argv[1])
try:
    cursor = db.execute(sys.argv[2])
    print(json.dumps({"columns": [c[0] for c in cursor.description or []], "rows": cursor.fetchall()}))
    db.commit()
except sqlite3.Error as e:
    print("error: " + str(e))
"""


async def query(db: str, statement: str) -> str:
    """The answer of the sample's database."""
    done = await sandbox().exec(["python", "-c", SQL, db, statement])
    return done.stdout + done.stderr


@tool
def run_sql(db: str) -> Tool:
    async def execute(query: str) -> str:
        """Runs one SQL statement on the database.

        Args:
            query: The statement.
        """
        return await globals()["query"](db, query)

    return execute


@tool
def list_tables(db: str) -> Tool:
    async def execute() -> str:
        """Lists the tables of the database."""
        return await query(db, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")

    return execute


@tool
def describe_table(db: str) -> Tool:
    async def execute(table: str) -> str:
        """Shows the columns of a table.

        Args:
            table: The name of the table.
        """
        return await query(db, f"PRAGMA table_info({table})")

    return execute


@tool
def bash() -> Tool:
    async def execute(command: str) -> str:
        """Runs a bash command in the working directory.

        Args:
            command: The command.
        """
        done = await sandbox().exec(["bash", "-c", command])
        return done.stdout + done.stderr

    return execute


@scorer(metrics=[accuracy()])
def checked(base: Base) -> Scorer:
    """Looks at the answer, the file or the rows that the agent left."""

    async def score(state: TaskState, target: Target) -> Score:
        kind = state.metadata["kind"]
        answer = state.output.completion.strip().splitlines()[-1] if state.output.completion else ""
        if kind == "clean":
            good = (await sandbox().exec(["cat", "clean.csv"])).stdout == target.text
        elif kind == "update":
            rows = json.loads(await query(f"{base.name}.db", f"SELECT id, {base.amount} FROM {base.facts}"))["rows"]
            good = {int(i): v for i, v in rows} == base.updated()
        else:
            good = answer == target.text
        return Score(value="C" if good else "I", answer=answer)

    return score


@solver
def scripted(server: ScriptServer, base: Base, who: str) -> Solver:
    """Inspect's react agent while the sample's script plays."""

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        name = str(state.sample_id)
        db = f"{base.name}.db"
        agent = react(tools=[list_tables(db), describe_table(db), run_sql(db), bash()])
        with server.play(f"{name}-{who}", SOLVE[state.metadata["kind"]](style(who, name), base)):
            return await as_solver(agent)(state, generate)

    return solve


def samples(base: Base, who: str) -> list[Sample]:
    """The samples of a database that this agent runs."""
    targets = {"sum": str(base.total()), "top": base.leader(), "clean": base.cleaned(), "update": "the rows"}
    setup = f"#!/bin/bash\npython -c \"import sqlite3; sqlite3.connect('{base.name}.db').executescript(open('make.sql').read())\" && rm make.sql\n"
    return [
        Sample(
            id=f"{base.name}-{kind}",
            input=prompt(kind, base),
            target=targets[kind],
            metadata={"kind": kind},
            setup=setup,
            files={"make.sql": base.sql()} | ({"raw.csv": base.raw()} if kind == "clean" else {}),
        )
        for kind in episodes.tables(base, who)
    ]


def run(server: ScriptServer, base: Base, who: str, path: Path) -> None:
    """All samples of a database with one agent: one log."""
    task = Task(
        name=f"tables_{base.name}",
        dataset=samples(base, who),
        solver=scripted(server, base, who),
        scorer=checked(base),
        sandbox="local",
    )
    model = get_model(f"openai-api/local/scripted-{who}", base_url=server.url, api_key="none", memoize=False)
    temp = Path(tempfile.mkdtemp(prefix="gbt-", dir="/tmp"))
    try:
        log = eval(
            task,
            model=model,
            log_dir=str(temp),
            log_format="json" if path.suffix == ".json" else "eval",
            display="none",
            max_samples=1,
            log_model_api=False,
        )[0]
        if log.status != "success":
            raise RuntimeError(f"{path.name}: {log.error}")
        written = next(p for p in temp.iterdir() if p.suffix == path.suffix)
        scrub = Scrubber(path.name)
        if path.suffix == ".json":
            path.write_text(
                json.dumps(scrub.value(json.loads(written.read_text())), ensure_ascii=False, indent=1) + "\n"
            )
        else:
            rezip(written, path, scrub)
    finally:
        shutil.rmtree(temp)


def rezip(source: Path, target: Path, scrub: Scrubber) -> None:
    """Writes the archive again with rewritten members, fixed times and no compression, whose bytes differ between zlibs."""
    with zipfile.ZipFile(source) as old, zipfile.ZipFile(target, "w", zipfile.ZIP_STORED) as new:
        for name in sorted(old.namelist()):
            text = json.dumps(scrub.value(json.loads(old.read(name))), ensure_ascii=False)
            new.writestr(zipfile.ZipInfo(name, (2026, 1, 5, 9, 0, 0)), text)


def main(out: Path) -> None:
    """A log for each database and agent; those of the gym are .eval archives, the others JSON."""
    os.environ.update(FIXED_ENV)
    folder = out / "inspect"
    folder.mkdir(parents=True, exist_ok=True)
    server = ScriptServer()
    for base in BASES:
        suffix = ".eval" if base.name == "gym" else ".json"
        for who in STYLES:
            run(server, base, who, folder / f"tables-{base.name}-{who}{suffix}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
