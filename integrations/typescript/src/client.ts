import { randomUUID } from "node:crypto";

import { ApiError, GbtError, ProtocolError, TransportError } from "./errors.js";
import * as schema from "./schema.js";
import { type Shape } from "./shape.js";
import { transport, type Answered, type Transport } from "./transport.js";

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
export class Client {
  readonly #send: Transport;
  readonly #headers: Record<string, string>;
  readonly #retries: number;

  constructor(options: Options = {}) {
    this.#send = transport(options.address, options.timeout ?? 30_000);
    this.#headers = options.token === undefined ? {} : { Authorization: `Bearer ${options.token}` };
    this.#retries = options.retries ?? 2;
  }

  /** Starts a session for a task. */
  async start(task: string | schema.TaskRequest, env?: schema.Env): Promise<Session> {
    const named = typeof task === "string" ? { text: task } : task;
    // With an id of our own a lost answer can be asked for again.
    const body = { task: { ...named, id: named.id ?? randomUUID() }, ...(env === undefined ? {} : { env }) };
    const info = await this.request("POST", "/v1/sessions", schema.Session, body, 201);
    return new Session(this, info);
  }

  /** The session of this id, as it stands. */
  async resume(session: string): Promise<Session> {
    return new Session(this, await this.request("GET", sessionPath(session), schema.Session));
  }

  /** Decides on one call outside of any session. */
  checkCall(call: schema.Call, from: { readonly task?: string; readonly untrusted?: readonly string[] } = {}): Promise<schema.Decision> {
    return this.request("POST", "/v1/check", schema.Decision, { call, ...from });
  }

  /** Which policy decides. */
  policy(): Promise<schema.Policy> {
    return this.request("GET", "/v1/policy", schema.Policy);
  }

  /** Sends one request and reads its answer; without a shape there is none. */
  async request<T>(method: string, path: string, shape: Shape<T>, body?: object, status?: number): Promise<T>;
  async request(method: string, path: string, shape: undefined, body: undefined, status: number): Promise<void>;
  async request<T>(method: string, path: string, shape: Shape<T> | undefined, body?: object, status = 200): Promise<T | void> {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const answer = await this.#repeated(method, path, json);
    if (answer.status !== status) throw refusal(answer);
    return shape?.read(parse(answer.body), "answer");
  }

  async #repeated(method: string, path: string, body: string | undefined): Promise<Answered> {
    const headers: Record<string, string> = { ...this.#headers, Accept: "application/json" };
    if (body !== undefined) {
      headers["Content-Type"] = "application/json";
      headers["Idempotency-Key"] = randomUUID();
    }
    for (let left = this.#retries; ; left--) {
      try {
        return await this.#send({ method, path, headers, ...(body === undefined ? {} : { body }) });
      } catch (e) {
        if (left <= 0 || !(e instanceof TransportError)) throw e;
      }
    }
  }
}

/** One run of one task. `info` is how it started, or was when it was resumed. */
export class Session {
  readonly id: string;
  readonly #client: Client;
  readonly #path: string;

  constructor(client: Client, readonly info: schema.SessionInfo) {
    this.id = info.session;
    this.#client = client;
    this.#path = sessionPath(info.session);
  }

  /** Tells what the executor wants to do next; the answer has the macro and the brief. */
  propose(proposal: string | schema.ProposeRequest): Promise<schema.Move> {
    return this.#post("propose", schema.Move, typeof proposal === "string" ? { text: proposal } : proposal);
  }

  /** Decides on a call before it runs. */
  check(call: schema.Call): Promise<schema.Decision> {
    return this.#post("check", schema.Decision, { call });
  }

  /** Tells what the user said; then check the call again. */
  confirm(confirmation: string, agreed: boolean): Promise<schema.Confirmed> {
    return this.#post("confirm", schema.Confirmed, { confirmation, agreed });
  }

  /** Tells what came of a call. */
  async observe(call: schema.Call, result: schema.Result): Promise<schema.Status> {
    return (await this.#post("observe", schema.Observed, { call, result })).status;
  }

  /** Tells that a completion check ran. */
  async report(id: string, passed: boolean): Promise<schema.Status> {
    return (await this.#post("report", schema.Observed, { id, passed })).status;
  }

  /** Claims to be done. */
  finish(): Promise<schema.Outcome> {
    return this.#post("finish", schema.Outcome, {});
  }

  /** Where the session stands, with its trace. */
  get(): Promise<schema.SessionInfo> {
    return this.#client.request("GET", this.#path, schema.Session);
  }

  /** Forgets the session. */
  delete(): Promise<void> {
    return this.#client.request("DELETE", this.#path, undefined, undefined, 204);
  }

  #post<T>(what: string, shape: Shape<T>, body: object): Promise<T> {
    return this.#client.request("POST", `${this.#path}/${what}`, shape, body);
  }
}

// The server's own rule, so that an id can't walk out of its path.
function sessionPath(session: string): string {
  if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(session)) throw new RangeError(`${JSON.stringify(session)} is no session id`);
  return `/v1/sessions/${session}`;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch (e) {
    throw new ProtocolError(`the answer is no JSON: ${String(e)}`, { cause: e });
  }
}

function refusal(answer: Answered): GbtError {
  let error: unknown;
  try {
    error = (JSON.parse(answer.body) as { error?: unknown } | null)?.error;
  } catch {
    error = undefined;
  }
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  if (typeof code !== "string" || typeof message !== "string") return new ProtocolError(`status ${answer.status} without an error that can be read`);
  return new ApiError(answer.status, code, message, /^\d+$/.test(answer.retryAfter) ? Number(answer.retryAfter) : undefined);
}
