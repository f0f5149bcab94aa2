"""The async client: the same as the sync one, and against the real server."""

from __future__ import annotations

import ast
import asyncio
from pathlib import Path

import pytest

import gbt_policy
from gbt_policy import Server
from test_client import ENV, LS, RM

SOURCE = Path(gbt_policy.__file__).parent


def test_it_is_the_sync_client_with_await() -> None:
    """Names and signatures of both, so that neither gets a method that the other has not."""

    def shape(file: str) -> dict[str, dict[str, str]]:
        tree = ast.parse((SOURCE / file).read_text())
        methods = (ast.FunctionDef, ast.AsyncFunctionDef)
        return {
            c.name.removeprefix("Async"): {m.name.replace("__a", "__"): ast.unparse(m.args).replace("Async", "") for m in c.body if isinstance(m, methods)}
            for c in tree.body
            if isinstance(c, ast.ClassDef)
        }

    sync = shape("client.py")
    assert sync == shape("aio.py")
    assert len(sync["Session"]) == 9


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
