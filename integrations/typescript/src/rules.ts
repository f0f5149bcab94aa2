import { ProtocolError } from "./errors.js";
import { type Shape } from "./shape.js";

interface Verdict {
  readonly allowed: boolean;
  readonly disposition: string;
}

/** What a decision must be beside its shape: only where `allowed` is true may a call run. */
export function decisionRules<T extends Verdict>(shape: Shape<T>): Shape<T> {
  return {
    ...shape,
    read(v, where) {
      const d = shape.read(v, where);
      if (d.allowed !== (d.disposition === "approved")) throw new ProtocolError(`${where}: allowed is ${d.allowed} and disposition is ${d.disposition}`);
      return d;
    },
  };
}

interface Answer {
  readonly disposition: string;
  readonly reasons: readonly { readonly rule: string; readonly message: string }[];
  readonly retry?: { readonly feedback: string };
}

/** The reasons of a decision as one text for the agent or the user. */
export function why(d: Answer): string {
  return d.reasons.map((r) => `[${r.rule}] ${r.message}`).join(" ") || d.disposition;
}

/** What the agent is told of a call that does not run: why, and what to do instead. */
export function advice(d: Answer): string {
  return d.retry === undefined ? why(d) : `${why(d)} ${d.retry.feedback}`;
}
