"""The same client over the lines of `gbt serve --stdio`: what is decided does not depend on the way."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import gbt_policy
from gbt_policy import Client, Guard, Status
from gbt_policy.lines import Lines
from test_client import ENV, FETCH, LS, RM


@pytest.fixture
def lines(gbt: str, policy: Path) -> Iterator[Client]:
    with subprocess.Popen([gbt, "serve", "--stdio", "--policy", policy], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as p:
        assert p.stdin is not None and p.stdout is not None
        to, back = p.stdin, p.stdout

        def exchange(line: bytes) -> bytes:
            to.write(line + b"\n")
            to.flush()
            return back.readline()

        yield Client(transport=Lines(exchange))
        to.close()


def untimed(s: Status) -> Status:
    """The status without the clock: the two sessions do not begin in the same second."""
    return replace(s, used=replace(s.used, seconds=0))


def test_it_answers_as_over_http(client: Client, lines: Client) -> None:
    def told(c: Client) -> list[object]:
        s = c.start({"id": "equal", "text": "fix the failing test", "checks": [{"id": "tests", "text": "pytest -q"}]}, ENV)
        out: list[object] = [c.policy(), s.propose("look around"), s.check(LS), untimed(s.observe(LS, {"output": "x"})), s.check(RM), s.check(FETCH)]
        out += [s.finish(), untimed(s.report("tests", True)), s.finish()]
        out += [c.check_call({**RM, "env": ENV}, task="clean up", untrusted=["rm"]), s.get().trace]
        s.delete()
        return out

    assert told(lines) == told(client)


def refused(do: Callable[[], object]) -> tuple[type[gbt_policy.ApiError], int, str, str]:
    with pytest.raises(gbt_policy.ApiError) as e:
        do()
    return type(e.value), e.value.status, e.value.code, e.value.message


def test_it_refuses_as_over_http(client: Client, lines: Client) -> None:
    def refusals(c: Client) -> list[tuple[type[gbt_policy.ApiError], int, str, str]]:
        s = c.start({"id": "same", "text": "t"}, ENV)
        bad: gbt_policy.Call = {"tool": ""}
        out = [refused(lambda: c.start({"id": "same", "text": "t"}, ENV)), refused(lambda: s.check(bad)), refused(lambda: s.report("none", True))]
        out += [refused(lambda: s.confirm("none", True)), refused(lambda: s.check({"tool": "bash", "argz": {}}))]  # type: ignore[typeddict-unknown-key]
        s.delete()
        return [*out, refused(s.finish)]

    assert refusals(lines) == refusals(client)


def test_the_guard_goes_over_it(lines: Client) -> None:
    guard = Guard(lines, "Fix the failing unit test", ENV)
    assert guard.run("bash", {"command": "ls"}, lambda: "parser.py") == "parser.py"
    held = guard.run("bash", {"command": "rm -rf /"}, lambda: "ran")
    assert isinstance(held, gbt_policy.Permit) and not held.allowed and guard.stopped == [held]


def test_a_result_that_cannot_be_told_holds_up_no_other_call(lines: Client) -> None:
    guard = Guard(lines, "Fix the failing unit test", ENV)
    with pytest.raises(ZeroDivisionError):
        guard.run("bash", {"command": "ls"}, lambda: 0, lambda n: str(1 // n))
    assert not guard._turn.locked()
    assert guard.run("bash", {"command": "ls"}, lambda: 0) == 0


@pytest.mark.parametrize(
    "answer",
    [b"", b"not json", b"[]", b"{}", b'{"jsonrpc":"2.0","id":1}', b'{"jsonrpc":"2.0","id":1,"result":{}}', b'{"jsonrpc":"2.0","id":1,"result":null}']
    + [b'{"jsonrpc":"2.0","id":1,"error":"no"}', b'{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}']
    + [b'{"jsonrpc":"2.0","id":1,"result":{"disposition":"rejected","allowed":true,"reasons":[],"effects":[],"tier":"local-reversible","decision_id":"0"}}'],
)
def test_a_broken_line_is_no_permission(answer: bytes) -> None:
    with pytest.raises(gbt_policy.GbtError):
        Client(transport=Lines(lambda _: answer)).check_call(LS)
