import { ProtocolError } from "./errors.js";
import { flag, integer, list, may, must, object, oneOf, text, type Infer, type Shape } from "./shape.js";

// The schemas of docs/openapi.yaml under their names there. A test compares every
// field, its type, its presence and every enumeration with that document.

export const Disposition = oneOf("rejected", "revision_required", "approved_with_constraints", "approved");
export const Verdict = oneOf("stall", "recover", "explore", "fragile", "advance");
export const DeltaKind = oneOf("unknown", "none", "write", "delete", "run", "send", "navigate");
export const Tier = oneOf("local-reversible", "runtime-compensable", "externally-irreversible");

export const Usage = object({ seconds: must(integer), tokens: must(integer) });
export const UsageReport = object({ seconds: may(integer), tokens: may(integer) });
export const Limits = object({ wall_seconds: may(integer), steps: may(integer), plateau: may(integer), target: may(integer) });
export const CompletionCheck = object({ id: must(text), text: may(text) });

const taskFields = { checks: may(list(CompletionCheck)), shadow: may(flag) };
export const TaskRequest = object({ id: may(text), text: must(text), limits: may(Limits), ...taskFields });
export const Task = object({ id: must(text), text: must(text), limits: must(Limits), ...taskFields });

export const Env = object({
  cwd: may(text),
  home: may(text),
  roots: may(list(text)),
  links: may(list(object({ from: must(text), to: must(text) }))),
  uid: may(integer),
  gid: may(integer),
  tools: may(list(text)),
});

/** Arguments as the tool gets them: an object, or a string that holds one as JSON. */
export type Arguments = { readonly [name: string]: unknown } | string;
const Arguments: Shape<Arguments> = { type: "arguments", read: (v) => v as Arguments };
const Annotations: Shape<{ readonly destructiveHint?: boolean; readonly openWorldHint?: boolean; readonly [hint: string]: unknown }> = {
  type: "object",
  read: (v) => v as { readonly [hint: string]: unknown },
};

export const Call = object({
  tool: must(text),
  args: may(Arguments),
  annotations: may(Annotations),
  env: may(Env),
  time: may(integer),
  used: may(UsageReport),
});
export const Delta = object({ kind: must(DeltaKind), resource: may(text) });
export const Result = object({
  blocked: may(flag),
  output: may(text),
  error: may(text),
  deltas: may(list(Delta)),
  pids: may(list(integer)),
  used: may(UsageReport),
});
export const ProposeRequest = object({ text: may(text), tool: may(text), args: may(Arguments), used: may(UsageReport), score: may(integer) });

const count = must(integer);
export const Stats = object({
  advance: count, fragile: count, explore: count, recover: count, ambiguous: count, stalls: count, recoveries: count,
  reroots: count, followed: count, deviated: count, calls: count, blocked: count, unapproved: count,
});
export const Status = object({
  family: may(text),
  open: may(list(text)),
  routed: must(flag),
  covered: must(flag),
  lost: may(text),
  lost_at: may(integer),
  steps: count,
  used: must(Usage),
  stopped: may(text),
  uncovered: may(list(text)),
  spine: must(list(text)),
  gates: may(list(text)),
  at_leaf: must(flag),
  stats: must(Stats),
});
export const Macro = object({ family: must(text), key: must(text), desc: must(text), tools: may(list(text)), delta: must(DeltaKind), risk: count });
export const Brief = object({
  task: must(text),
  earlier: may(integer),
  spine: may(list(text)),
  next: may(text),
  tools: may(list(text)),
  summary: may(list(text)),
  paths: may(list(text)),
  domains: may(list(text)),
  pids: may(list(integer)),
});
export const Step = object({
  step: count,
  verdict: must(Verdict),
  would: may(Verdict),
  reason: may(text),
  family: may(text),
  macro: may(text),
  node: count,
  via: may(text),
  score: count,
  margin: count,
  offered: count,
  ambiguous: may(flag),
  stall: may(text),
  recovery: may(object({ up: count, macros: must(list(text)), cost: count })),
  rerooted: may(text),
  covered: must(flag),
  lost: may(text),
});
export const Move = object({
  verdict: must(Verdict),
  reason: may(text),
  macro: may(Macro),
  brief: must(Brief),
  brief_text: must(text),
  step: must(Step),
});
export const Reason = object({ rule: must(text), disposition: must(Disposition), message: must(text), effect: may(integer) });
export const Effect = object({
  type: must(oneOf("opaque", "read", "list", "write", "delete", "spawn", "network", "setting", "signal")),
  op: must(text),
  zone: must(text),
  resource: must(text),
  program: may(text),
  argv: may(text),
  parent: may(text),
  scheme: may(text),
  domain: may(text),
  ip: may(text),
  port: may(integer),
  sensitive: may(flag),
  protected: may(flag),
  glob: may(flag),
  deferred: may(flag),
  tier: must(Tier),
  payload: may(object({ len: count, mime: may(text), hash: may(text) })),
});
const decision = object({
  disposition: must(Disposition),
  would: may(Disposition),
  allowed: must(flag),
  reasons: must(list(Reason)),
  effects: must(list(Effect)),
  tier: must(Tier),
  decision_id: must(text),
  gates: may(list(text)),
  library_rejected: may(flag),
  confirmation: may(text),
  in_macro: may(flag),
  retry: may(object({ left: count, feedback: must(text) })),
});
/** The verdict on a call. Only where `allowed` is true may it run. */
export const Decision: Shape<Infer<typeof decision>> = {
  ...decision,
  read(v, where) {
    const d = decision.read(v, where);
    if (d.allowed !== (d.disposition === "approved")) throw new ProtocolError(`${where}: allowed is ${d.allowed} and disposition is ${d.disposition}`);
    return d;
  },
};
export const Confirmed = object({ agreed: must(flag), status: must(Status) });
export const Observed = object({ status: must(Status) });
export const Finding = object({ id: must(text), executed: must(flag), passed: must(flag), reason: may(text) });
export const Outcome = object({
  done: must(flag),
  reason: may(text),
  basis: may(text),
  again: must(flag),
  findings: must(list(Finding)),
  covered: must(flag),
  lost: may(text),
});
export const TraceEntry = object({
  n: count,
  op: must(oneOf("propose", "check", "confirm", "observe", "report", "finish")),
  step: may(Step),
  tool: may(text),
  disposition: may(Disposition),
  decision_id: may(text),
  rules: may(list(text)),
  ok: may(flag),
  reason: may(text),
});
export const Session = object({ session: must(text), policy: must(text), task: must(Task), status: must(Status), trace: may(list(TraceEntry)) });
export const Policy = object({
  digest: must(text),
  name: may(text),
  sequence: count,
  signed: must(flag),
  key_id: may(text),
  status: must(text),
  families: count,
  states: count,
  nodes: count,
  leaves: count,
  gates: count,
  gates_global: count,
  gates_node: count,
  schemas: count,
  profile: must(text),
  pack: must(object({ steps: count, wall_seconds: count, tokens: count })),
  shadow: must(flag),
});

export type Disposition = Infer<typeof Disposition>;
export type Verdict = Infer<typeof Verdict>;
export type TaskRequest = Infer<typeof TaskRequest>;
export type Env = Infer<typeof Env>;
export type Call = Infer<typeof Call>;
export type Result = Infer<typeof Result>;
export type ProposeRequest = Infer<typeof ProposeRequest>;
export type Status = Infer<typeof Status>;
export type Move = Infer<typeof Move>;
export type Decision = Infer<typeof Decision>;
export type Confirmed = Infer<typeof Confirmed>;
export type Outcome = Infer<typeof Outcome>;
export type SessionInfo = Infer<typeof Session>;
export type Policy = Infer<typeof Policy>;
