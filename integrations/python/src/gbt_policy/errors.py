"""What can go wrong. None of it is a permission: whoever catches one of these must not run the call."""

from __future__ import annotations


class GbtError(Exception):
    """Anything that kept an answer from arriving."""


class TransportError(GbtError):
    """No answer: the server is not there, the connection broke, or the time was up."""


class ProtocolError(GbtError):
    """An answer that is not what the document of the server says."""


class ServerError(GbtError):
    """`gbt serve` did not start."""


class ApiError(GbtError):
    """The server refused the request. `code` is stable, `message` is for people."""

    def __init__(self, status: int, code: str, message: str, retry_after: int | None = None) -> None:
        super().__init__(f"{code}: {message}")
        self.status = status
        self.code = code
        self.message = message
        self.retry_after = retry_after


class InvalidRequest(ApiError):
    """400, 404 for a path, 405, 415: the request itself is wrong."""


class Unauthorized(ApiError):
    """401: no token, or another one."""


class SessionLost(ApiError):
    """404, 410: the session never was, or is no more. Start a new one; run no more calls of this one."""


class Conflict(ApiError):
    """409: the id, the key, the check or the confirmation does not fit."""


class TooLarge(ApiError):
    """413: the body is over the server's limit."""


class Busy(ApiError):
    """429: too much at once; `retry_after` says how many seconds to wait."""


class Unavailable(ApiError):
    """503: the server ends, or the request waited too long."""


class ServerFault(ApiError):
    """500: nothing was decided."""


_BY_STATUS: dict[int, type[ApiError]] = {
    400: InvalidRequest,
    401: Unauthorized,
    405: InvalidRequest,
    409: Conflict,
    410: SessionLost,
    413: TooLarge,
    415: InvalidRequest,
    429: Busy,
    500: ServerFault,
    503: Unavailable,
}


def api_error(status: int, code: str, message: str, retry_after: int | None) -> ApiError:
    """The error of an answer."""
    if status == 404:
        kind: type[ApiError] = SessionLost if code == "session-unknown" else InvalidRequest
    else:
        kind = _BY_STATUS.get(status, ApiError)
    return kind(status, code, message, retry_after)
