import { request as httpRequest } from "node:http";
import { tmpdir, userInfo } from "node:os";
import { isAbsolute, join } from "node:path";

import { TransportError } from "./errors.js";

export interface Wanted {
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

export interface Answered {
  readonly status: number;
  readonly retryAfter: string;
  readonly body: string;
}

/** Carries one request, or throws a TransportError. */
export type Transport = (wanted: Wanted) => Promise<Answered>;

/** unix:///path, an absolute path, tcp://host:port or http(s)://host:port; undefined is the server's default socket. */
export function transport(address: string | undefined, timeout: number): Transport {
  const [, scheme, rest = ""] = /^(\w+):\/\/(.+)$/s.exec(address ?? `unix://${defaultSocket()}`) ?? [];
  if (scheme === undefined && address !== undefined && isAbsolute(address)) return overSocket(address, timeout);
  if (scheme === "unix" && isAbsolute(rest)) return overSocket(rest, timeout);
  if (scheme === "tcp") return overFetch(`http://${rest}`, timeout);
  if (scheme === "http" || scheme === "https") return overFetch(`${scheme}://${rest.replace(/\/+$/, "")}`, timeout);
  throw new RangeError(`${JSON.stringify(address)} is no address: give unix:///path, tcp://127.0.0.1:port or https://host:port`);
}

/** The socket of `gbt serve` without --listen. */
export function defaultSocket(env: NodeJS.ProcessEnv = process.env): string {
  const runtime = env["XDG_RUNTIME_DIR"] ?? "";
  return isAbsolute(runtime) ? join(runtime, "gbt.sock") : join(env["TMPDIR"] || tmpdir(), `gbt-${userInfo().uid}`, "gbt.sock");
}

function overFetch(base: string, timeout: number): Transport {
  return async ({ method, path, headers, body }) => {
    try {
      const signal = AbortSignal.timeout(timeout);
      const r = await fetch(base + path, { method, headers, signal, redirect: "manual", ...(body === undefined ? {} : { body }) });
      return { status: r.status, retryAfter: r.headers.get("retry-after") ?? "", body: await r.text() };
    } catch (e) {
      throw new TransportError(`${method} ${path}: ${because(e)}`, { cause: e });
    }
  };
}

function overSocket(socketPath: string, timeout: number): Transport {
  return ({ method, path, headers, body }) =>
    new Promise((resolve, reject) => {
      const fail = (e: unknown) => reject(new TransportError(`${method} ${path}: ${because(e)}`, { cause: e }));
      const r = httpRequest({ socketPath, method, path, headers: { ...headers, Host: "localhost" }, signal: AbortSignal.timeout(timeout) }, (answer) => {
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("error", fail);
        answer.on("end", () => {
          if (!answer.complete) fail(new Error("the answer broke off"));
          else resolve({ status: answer.statusCode ?? 0, retryAfter: String(answer.headers["retry-after"] ?? ""), body: Buffer.concat(parts).toString() });
        });
      });
      r.on("error", fail);
      r.end(body);
    });
}

function because(e: unknown): string {
  const cause = e instanceof Error && e.cause instanceof Error ? `: ${e.cause.message}` : "";
  return (e instanceof Error ? e.message : String(e)) + cause;
}
