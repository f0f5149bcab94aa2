import { TransportError } from "./errors.js";
import { request, type Operation, type Transport } from "./operation.js";
import * as schema from "./schema.js";
import { operations as op } from "./schema.js";

/** Talks to one policy over any transport, in Node or in a page. What it throws, GbtError or anything else, is no permission. */
export class BaseClient {
  readonly #transport: Transport;
  readonly #retries: number;

  /** A request whose answer is lost is repeated `retries` times with the same Idempotency-Key, so nothing happens twice. */
  constructor(transport: Transport, retries = 2) {
    this.#transport = transport;
    this.#retries = retries;
  }

  /** Sends a request of any operation of the schema, again where its answer is lost. */
  async send<B, T>(operation: Operation<B, T>, body: B, session?: string): Promise<T> {
    const asked = request(operation, body, session);
    for (let left = this.#retries; ; left--) {
      try {
        const answer = await this.#transport(asked);
        return operation.answer?.read(answer, "answer") as T;
      } catch (e) {
        if (left <= 0 || !(e instanceof TransportError)) throw e;
      }
    }
  }

  /** Starts a session for a task. */
  async start(task: string | schema.TaskRequest, env?: schema.Env): Promise<Session> {
    const told = typeof task === "string" ? { text: task } : task;
    // With an id of our own a lost answer can be asked for again.
    const body = { task: { ...told, id: told.id ?? crypto.randomUUID() }, ...(env === undefined ? {} : { env }) };
    return new Session(this, await this.send(op.startSession, body));
  }

  /** The session of this id, as it stands. */
  async resume(session: string): Promise<Session> {
    return new Session(this, await this.send(op.getSession, undefined, session));
  }

  /** Decides on one call outside of any session. */
  checkCall(call: schema.Call, from: { readonly task?: string; readonly untrusted?: readonly string[] } = {}): Promise<schema.Decision> {
    return this.send(op.checkCall, { call, ...from });
  }

  /** Which policy decides. */
  policy(): Promise<schema.Policy> {
    return this.send(op.getPolicy, undefined);
  }
}

/** One run of one task. `info` is how it started, or was when it was resumed. */
export class Session {
  readonly id: string;
  readonly #client: BaseClient;

  constructor(client: BaseClient, readonly info: schema.SessionInfo) {
    this.id = info.session;
    this.#client = client;
  }

  /** Tells what the executor wants to do next; the answer has the macro and the brief. */
  propose(proposal: string | schema.Proposal): Promise<schema.Move> {
    return this.#client.send(op.propose, typeof proposal === "string" ? { text: proposal } : proposal, this.id);
  }

  /** Decides on a call before it runs. */
  check(call: schema.Call): Promise<schema.Decision> {
    return this.#client.send(op.check, { call }, this.id);
  }

  /** Tells what the user said; then check the call again. forSession: they agreed to the decision's offer. */
  confirm(confirmation: string, agreed: boolean, forSession = false): Promise<schema.Confirmed> {
    return this.#client.send(op.confirm, { confirmation, agreed, ...(forSession ? { for_session: true } : {}) }, this.id);
  }

  /** Tells what came of a call. */
  async observe(call: schema.Call, result: schema.Result): Promise<schema.Status> {
    return (await this.#client.send(op.observe, { call, result }, this.id)).status;
  }

  /** Tells that a completion check ran. */
  async report(id: string, passed: boolean): Promise<schema.Status> {
    return (await this.#client.send(op.report, { id, passed }, this.id)).status;
  }

  /** Claims to be done. */
  finish(): Promise<schema.Outcome> {
    return this.#client.send(op.finish, {}, this.id);
  }

  /** Where the session stands, with its trace. */
  get(): Promise<schema.SessionInfo> {
    return this.#client.send(op.getSession, undefined, this.id);
  }

  /** Forgets the session. */
  delete(): Promise<void> {
    return this.#client.send(op.deleteSession, undefined, this.id);
  }
}
