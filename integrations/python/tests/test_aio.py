"""The async client: the same as the sync one, and against the real server."""

from __future__ import annotations

import ast
import asyncio
import re
from pathlib import Path

import pytest

import gbt_policy
from gbt_policy import Server
from test_client import ENV, LS, RM

SOURCE = Path(gbt_policy.__file__).parent


def test_it_is_the_sync_client_with_await() -> None:
    """Every statement of both, so that neither does what the other does not."""

    def classes(file: str) -> list[str]:
        text = re.sub(r"\b(async|await) ", "", (SOURCE / file).read_text())
        tree = ast.parse(text.replace("Async", "").replace("__a", "__").replace("tasks of one event loop", "threads"))
        return [ast.unparse(c) for c in tree.body if isinstance(c, ast.ClassDef)]

    sync = classes("client.py")
    assert sync == classes("aio.py")
    assert len(sync) == 2


def test_many_sessions_at_once(server: Server) -> None:
    async def one(c: gbt_policy.AsyncClient, n: int) -> str:
        s = await c.start(f"task {n}", ENV)
        await s.propose({"text": "look", "tool": "bash", "args": {"command": "ls"}})
        assert (await s.check(LS)).allowed
        assert (await s.observe(LS, {"output": str(n)})).stats.calls == 1
        assert not (await s.check(RM)).allowed
        assert (await s.finish()).findings
        return s.id

    async def all_of_them() -> list[str]:
        async with server.async_client() as c:
            return await asyncio.gather(*(one(c, n) for n in range(40)))

    assert len(set(asyncio.run(all_of_them()))) == 40


def test_the_rest_of_it(server: Server) -> None:
    async def go() -> None:
        async with server.async_client() as c:
            assert (await c.policy()).families > 0
            assert not (await c.check_call({**RM, "env": ENV})).allowed
            s = await c.start({"text": "t", "checks": [{"id": "a"}]}, ENV)
            assert not (await s.report("a", True)).stopped
            with pytest.raises(gbt_policy.Conflict):
                await s.confirm("none", True)
            assert (await (await c.resume(s.id)).get()).session == s.id
            await s.delete()
            with pytest.raises(gbt_policy.SessionLost):
                await s.get()

    asyncio.run(go())


def test_a_server_that_is_gone() -> None:
    async def go() -> None:
        async with gbt_policy.AsyncClient("/nowhere/gbt.sock") as c:
            with pytest.raises(gbt_policy.TransportError):
                await c.policy()

    asyncio.run(go())
