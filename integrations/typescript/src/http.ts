import { parse, refusal, type Transport } from "./operation.js";
import { transport, type Answered } from "./transport.js";

/** Requests over HTTP. */
export function overHttp(address: string | undefined, token: string | undefined, timeout: number): Transport {
  const send = transport(address, timeout);
  return async ({ operation, session, body, key }) => {
    const headers: Record<string, string> = { Accept: "application/json" };
    if (token !== undefined) headers["Authorization"] = `Bearer ${token}`;
    if (body !== undefined) headers["Content-Type"] = "application/json";
    if (key !== undefined) headers["Idempotency-Key"] = key;
    const path = operation.path.replace("{session}", session ?? "");
    const answer = await send({ method: operation.method, path, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
    if (answer.status !== operation.status) throw refused(answer);
    return operation.answer === undefined ? undefined : parse(answer.body);
  };
}

function refused(answer: Answered): Error {
  let error: { code?: unknown; message?: unknown } | undefined;
  try {
    error = (JSON.parse(answer.body) as { error?: { code?: unknown; message?: unknown } } | null)?.error;
  } catch {
    error = undefined;
  }
  return refusal(answer.status, error?.code, error?.message, /^\d+$/.test(answer.retryAfter) ? Number(answer.retryAfter) : undefined);
}
