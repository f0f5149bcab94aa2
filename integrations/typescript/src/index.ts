/** Client of `gbt serve`: ask a policy before an agent's tool call runs. */
export { Client, Session, type Options } from "./client.js";
export { ApiError, GbtError, ProtocolError, TransportError } from "./errors.js";
export type {
  Arguments, Call, Confirmed, Decision, Disposition, Env, Move, Outcome, Policy, ProposeRequest, Result, SessionInfo, Status, TaskRequest, Verdict,
} from "./schema.js";
