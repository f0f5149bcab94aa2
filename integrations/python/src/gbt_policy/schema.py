"""The schemas of docs/openapi.yaml: TypedDicts for what is sent, dataclasses for what comes back.

A test compares every name, type of presence and enumeration here with that document.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, Required, TypedDict

Disposition = Literal["rejected", "revision_required", "approved_with_constraints", "approved"]
Verdict = Literal["stall", "recover", "explore", "fragile", "advance"]
DeltaKind = Literal["unknown", "none", "write", "delete", "run", "send", "navigate"]
Tier = Literal["local-reversible", "runtime-compensable", "externally-irreversible"]
Arguments = Mapping[str, Any] | str




class Env(TypedDict, total=False):
    """What the host observes around the executor. Paths are absolute."""

    cwd: str
    home: str
    roots: Sequence[str]
    links: Sequence[Mapping[str, str]]
    uid: int
    gid: int
    tools: Sequence[str]


class UsageReport(TypedDict, total=False):
    """Totals since the start."""

    seconds: int
    tokens: int


class Limits(TypedDict, total=False):
    wall_seconds: int
    steps: int
    plateau: int
    target: int


class CompletionCheck(TypedDict, total=False):
    id: Required[str]
    text: str


class TaskRequest(TypedDict, total=False):
    id: str
    text: Required[str]
    checks: Sequence[CompletionCheck]
    limits: Limits
    shadow: bool


class Annotations(TypedDict, total=False):
    """Hints of an MCP tool; they may raise a risk, never lower it."""

    destructiveHint: bool
    openWorldHint: bool


class Call(TypedDict, total=False):
    """A tool call. Use the same `tool`, `args` and `env` for check and observe."""

    tool: Required[str]
    args: Arguments
    annotations: Annotations
    env: Env
    time: int
    used: UsageReport


class Delta(TypedDict, total=False):
    kind: Required[DeltaKind]
    resource: str


class Result(TypedDict, total=False):
    """What came of a call."""

    blocked: bool
    output: str
    error: str
    deltas: Sequence[Delta]
    pids: Sequence[int]
    used: UsageReport


class Proposal(TypedDict, total=False):
    """Words, or better the call that the executor is about to make."""

    text: str
    tool: str
    args: Arguments
    used: UsageReport
    score: int


@dataclass(frozen=True, slots=True)
class Usage:
    seconds: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Check:
    id: str
    text: str = ""


@dataclass(frozen=True, slots=True)
class TaskLimits:
    wall_seconds: int = 0
    steps: int = 0
    plateau: int = 0
    target: int = 0


@dataclass(frozen=True, slots=True)
class Task:
    id: str
    text: str
    limits: TaskLimits
    checks: tuple[Check, ...] = ()
    shadow: bool = False


@dataclass(frozen=True, slots=True)
class Stats:
    advance: int
    fragile: int
    explore: int
    recover: int
    ambiguous: int
    stalls: int
    recoveries: int
    reroots: int
    followed: int
    deviated: int
    calls: int
    blocked: int
    unapproved: int


@dataclass(frozen=True, slots=True)
class Status:
    routed: bool
    covered: bool
    steps: int
    used: Usage
    spine: tuple[str, ...]
    at_leaf: bool
    stats: Stats
    family: str = ""
    open: tuple[str, ...] = ()
    lost: str = ""
    lost_at: int = 0
    stopped: str = ""
    gates: tuple[str, ...] = ()
    uncovered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Way:
    up: int
    macros: tuple[str, ...]
    cost: int


@dataclass(frozen=True, slots=True)
class Step:
    step: int
    verdict: Verdict
    node: int
    score: int
    margin: int
    offered: int
    covered: bool
    would: Verdict | None = None
    reason: str = ""
    family: str = ""
    macro: str = ""
    via: str = ""
    ambiguous: bool = False
    stall: str = ""
    recovery: Way | None = None
    rerooted: str = ""
    lost: str = ""


@dataclass(frozen=True, slots=True)
class Macro:
    family: str
    key: str
    desc: str
    delta: DeltaKind
    risk: int
    tools: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Brief:
    task: str
    earlier: int = 0
    spine: tuple[str, ...] = ()
    next: str = ""
    tools: tuple[str, ...] = ()
    summary: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    domains: tuple[str, ...] = ()
    pids: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Move:
    """The answer to a proposal."""

    verdict: Verdict
    brief: Brief
    brief_text: str
    step: Step
    reason: str = ""
    macro: Macro | None = None


@dataclass(frozen=True, slots=True)
class Payload:
    len: int
    mime: str = ""
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Effect:
    type: str
    op: str
    zone: str
    resource: str
    tier: Tier
    program: str = ""
    argv: str = ""
    parent: str = ""
    scheme: str = ""
    domain: str = ""
    ip: str = ""
    port: int = 0
    sensitive: bool = False
    protected: bool = False
    glob: bool = False
    deferred: bool = False
    payload: Payload | None = None


@dataclass(frozen=True, slots=True)
class Reason:
    rule: str
    disposition: Disposition
    message: str
    effect: int | None = None


@dataclass(frozen=True, slots=True)
class Retry:
    """How to go on after a call that was stopped. At `left` 0 no call of its kind runs before the next macro."""

    left: int
    feedback: str


@dataclass(frozen=True, slots=True)
class Decision:
    """The verdict on a call. Only where `allowed` is true may it run."""

    disposition: Disposition
    allowed: bool
    reasons: tuple[Reason, ...]
    effects: tuple[Effect, ...]
    tier: Tier
    decision_id: str
    would: Disposition | None = None
    gates: tuple[str, ...] = ()
    library_rejected: bool = False
    confirmation: str = ""
    in_macro: bool = False
    retry: Retry | None = None

    def __post_init__(self) -> None:
        if self.allowed != (self.disposition == "approved"):
            raise ValueError(f"allowed is {self.allowed} and disposition is {self.disposition}")

    @property
    def why(self) -> str:
        """The reasons as one text for the agent or the user."""
        return " ".join(f"[{r.rule}] {r.message}" for r in self.reasons) or self.disposition

    @property
    def advice(self) -> str:
        """What the agent is told of a call that does not run: why, and what to do instead."""
        return f"{self.why} {self.retry.feedback}" if self.retry else self.why


@dataclass(frozen=True, slots=True)
class Confirmed:
    agreed: bool
    status: Status


@dataclass(frozen=True, slots=True)
class Observed:
    status: Status


@dataclass(frozen=True, slots=True)
class Finding:
    id: str
    executed: bool
    passed: bool
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The answer to a claim to be done."""

    done: bool
    again: bool
    findings: tuple[Finding, ...]
    covered: bool
    reason: str = ""
    basis: str = ""
    lost: str = ""


@dataclass(frozen=True, slots=True)
class TraceEntry:
    n: int
    op: Literal["propose", "check", "confirm", "observe", "report", "finish"]
    step: Step | None = None
    tool: str = ""
    disposition: Disposition | None = None
    decision_id: str = ""
    rules: tuple[str, ...] = ()
    ok: bool | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SessionInfo:
    session: str
    policy: str
    task: Task
    status: Status
    trace: tuple[TraceEntry, ...] = ()


@dataclass(frozen=True, slots=True)
class Pack:
    steps: int
    wall_seconds: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Policy:
    digest: str
    sequence: int
    signed: bool
    status: str
    families: int
    states: int
    nodes: int
    leaves: int
    gates: int
    gates_global: int
    gates_node: int
    schemas: int
    profile: str
    pack: Pack
    shadow: bool
    name: str = ""
    key_id: str = field(default="")
