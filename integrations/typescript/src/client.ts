import { overHttp } from "./http.js";
import { BaseClient } from "./session.js";

export interface Options {
  /** unix:///path, an absolute path, tcp://127.0.0.1:port or https://host; the server's default socket if left out. */
  readonly address?: string;
  /** The bearer token; needed on TCP. */
  readonly token?: string;
  /** Milliseconds until a request counts as lost; 30,000 if left out. */
  readonly timeout?: number;
  /** How often a request whose answer is lost is repeated, with the same Idempotency-Key; 2 if left out. */
  readonly retries?: number;
}

/** Talks to one `gbt serve`. What it throws, GbtError or anything else, is no permission. */
export class Client extends BaseClient {
  constructor(options: Options = {}) {
    super(overHttp(options.address, options.token, options.timeout ?? 30_000), options.retries);
  }
}
