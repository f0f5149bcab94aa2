/** Client of `gbt serve`: ask a policy before an agent's tool call runs. */
export { Client, type Options } from "./client.js";
export { BaseClient, Session } from "./session.js";
export { ApiError, GbtError, ProtocolError, TransportError } from "./errors.js";
export { Guard, Permit, type Ask, type GuardOptions } from "./guard.js";
export { overLines } from "./lines.js";
export { type Operation, type Transport } from "./operation.js";
export { advice, why } from "./rules.js";
export { operations } from "./schema.js";
export type {
  Arguments, Call, Confirmed, Decision, Disposition, Env, Move, Outcome, Policy, Proposal, Result, SessionInfo, Status, TaskRequest, Verdict,
} from "./schema.js";
