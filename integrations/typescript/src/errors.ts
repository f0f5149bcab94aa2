/** What can go wrong. None of it is a permission: whoever catches one of these must not run the call. */
export class GbtError extends Error {
  override name = "GbtError";
}

/** No answer: the server is not there, the connection broke, or the time was up. */
export class TransportError extends GbtError {
  override name = "TransportError";
}

/** An answer that is not what the server's document says. */
export class ProtocolError extends GbtError {
  override name = "ProtocolError";
}

/** The server refused the request. `code` is stable, the message is for people. */
export class ApiError extends GbtError {
  override name = "ApiError";
  constructor(
    readonly status: number,
    readonly code: string,
    readonly detail: string,
    /** Seconds to wait before trying again, where the server says so. */
    readonly retryAfter?: number,
  ) {
    super(`${code}: ${detail}`);
  }

  /** The session never was, or is no more: run no more calls of it, start a new one. */
  get sessionLost(): boolean {
    return ["session-unknown", "session-expired", "session-deleted"].includes(this.code);
  }
}
