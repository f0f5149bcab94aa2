"""Client of `gbt serve`: ask a policy before an agent's tool call runs.

`Client` and `AsyncClient` carry the operations of docs/openapi.yaml, `Server`
starts one as a subprocess, `gbt_policy.wasm` runs one in this process, `Guard`
is the loop round an agent that makes tool calls. `gbt_policy.mini`, `gbt_policy.openhands` and `gbt_policy.langgraph`
fit it into those frameworks. Whatever raises `GbtError` is no permission.
"""

from .aio import AsyncClient, AsyncSession
from .client import Client, Session
from .errors import (
    ApiError,
    Busy,
    Conflict,
    GbtError,
    InvalidRequest,
    ProtocolError,
    ServerError,
    ServerFault,
    SessionLost,
    TooLarge,
    TransportError,
    Unauthorized,
    Unavailable,
)
from .guard import Guard, Permit
from .schema import Call, Decision, Env, Move, Outcome, Policy, Proposal, Result, SessionInfo, Status, TaskRequest
from .server import Server

__all__ = [
    "ApiError",
    "AsyncClient",
    "AsyncSession",
    "Busy",
    "Call",
    "Client",
    "Conflict",
    "Decision",
    "Env",
    "GbtError",
    "Guard",
    "InvalidRequest",
    "Move",
    "Outcome",
    "Permit",
    "Policy",
    "Proposal",
    "ProtocolError",
    "Result",
    "Server",
    "ServerError",
    "ServerFault",
    "Session",
    "SessionInfo",
    "SessionLost",
    "Status",
    "TaskRequest",
    "TooLarge",
    "TransportError",
    "Unauthorized",
    "Unavailable",
]
