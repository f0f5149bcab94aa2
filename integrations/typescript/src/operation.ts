import { ApiError, ProtocolError, type GbtError } from "./errors.js";
import { type Shape } from "./shape.js";

/** An operation of docs/openapi.yaml that takes a B, undefined for no body, and answers with a T. */
export interface Operation<B, T> {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly status: number;
  /** How the answer is read; undefined for none. */
  readonly answer: Shape<T> | undefined;
  /** It takes an Idempotency-Key. */
  readonly keyed: boolean;
  /** The type of the body; there is no such value. */
  readonly body?: B;
}

/** One request, whatever the way to the server. Sent again, it is the same one: nothing happens twice. */
export interface Request {
  readonly operation: Operation<unknown, unknown>;
  readonly session: string | undefined;
  readonly body: object | undefined;
  readonly key: string | undefined;
}

/** Carries one request and gives what came back unread, or throws a TransportError. */
export type Transport = (request: Request) => Promise<unknown>;

export function operation<B, T>(name: string, method: string, path: string, status: number, answer: Shape<T> | undefined, keyed: boolean): Operation<B, T> {
  return { name, method, path, status, answer, keyed };
}

export function request<B, T>(operation: Operation<B, T>, body: B, session: string | undefined): Request {
  // The server's own rule, so that an id can't walk out of its path.
  if (session !== undefined && !/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/.test(session)) throw new RangeError(`${JSON.stringify(session)} is no session id`);
  if ((session !== undefined) !== operation.path.includes("{session}")) throw new RangeError(`${operation.name} and the session ${session} do not go together`);
  return { operation: operation as Operation<unknown, unknown>, session, body: body as object | undefined, key: operation.keyed ? crypto.randomUUID() : undefined };
}

/** A request as a line of JSON-RPC. */
export function line({ operation, session, body, key }: Request): string {
  const params = { ...body, ...(session === undefined ? {} : { session }), ...(key === undefined ? {} : { idempotency_key: key }) };
  return JSON.stringify({ jsonrpc: "2.0", id: 1, method: operation.name, params });
}

/** What a line of JSON-RPC answers; throws the error that it is. */
export function result(line: string): unknown {
  const reply = parse(line) as { jsonrpc?: unknown; result?: unknown; error?: unknown } | null;
  if (reply?.jsonrpc !== "2.0" || (reply.result === undefined) === (reply.error === undefined)) throw new ProtocolError("the answer is no JSON-RPC");
  if (reply.error === undefined) return reply.result;
  const { message, data } = reply.error as { message?: unknown; data?: { code?: unknown; status?: unknown } };
  throw refusal(Number(data?.status), data?.code, message);
}

export function parse(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch (e) {
    throw new ProtocolError(`the answer is no JSON: ${String(e)}`, { cause: e });
  }
}

export function refusal(status: number, code: unknown, message: unknown, retryAfter?: number): GbtError {
  if (typeof code !== "string" || typeof message !== "string") return new ProtocolError(`status ${status} without an error that can be read`);
  return new ApiError(status, code, message, retryAfter);
}
