/*
 * The loop round an agent that makes tool calls, for hosts that have no planning step of their own.
 *
 * A call is checked before it runs. If it leaves the macro under way it is also the proposal for the next one, and the
 * brief that comes back is shown to the model with its next request. Proposing every call instead would begin a macro
 * anew at each of its calls, and the run would leave the policy's tree. guard.py of the Python client is the same loop.
 */
import { GbtError } from "./errors.js";
import { advice } from "./rules.js";
import { type Arguments, type Call, type Decision, type Env, type Move, type Outcome, type Result, type TaskRequest } from "./schema.js";
import { type BaseClient, type Session } from "./session.js";

// What is told of one result; the rest of a longer one, from the middle, is left
// out. The server's default limit of a body is 8 MiB, and a character may take six bytes of JSON.
export const maxOutput = 1 << 20;

/** Says what the user answered where the policy wants consent; only true is a yes. */
export type Ask = (tool: string, args: Arguments, decision: Decision) => boolean | Promise<boolean>;

export interface GuardOptions {
  /** Without it, calls that need consent do not run. */
  readonly ask?: Ask;
  /** A call that the policy wants replaced (verdict recover) is not run and the agent is told what to do instead; if false it is only told. True if left out. */
  readonly steer?: boolean;
}

/** The answer to `begin`: whether the call may run, and if not, what the agent is told. */
export class Permit {
  constructor(
    readonly allowed: boolean,
    readonly message: string,
    readonly call: Call,
    readonly decision?: Decision,
  ) {}
}

/** Guards one run of one task. Calls are dealt with one at a time. If the server can't be asked, nothing runs. */
export class Guard {
  move: Move | undefined;
  /** What the model said last; the host sets it. */
  words = "";
  /** Calls that did not run. */
  readonly stopped: Permit[] = [];
  readonly #ask: Ask | undefined;
  readonly #steer: boolean;
  #broken = "";
  #turn: Promise<void> = Promise.resolve();
  #release: () => void = () => undefined;
  #running: Permit | undefined;

  private constructor(readonly session: Session, readonly env: Env | undefined, options: GuardOptions) {
    this.#ask = options.ask;
    this.#steer = options.steer ?? true;
  }

  /** Starts the session that the guard is for. */
  static async start(client: BaseClient, task: string | TaskRequest, env?: Env, options: GuardOptions = {}): Promise<Guard> {
    return new Guard(await client.start(task, env), env, options);
  }

  /** What to show the model with its next request; empty before the first move. */
  brief(): string {
    const { move } = this;
    if (move === undefined) return "";
    if (move.verdict === "stall") return `${move.brief_text}\nThe policy sees no way on (${move.reason ?? ""}). Stop, or ask the user.`;
    if (move.macro !== undefined && move.verdict !== "recover") return `${move.brief_text}\nIf this step is done, go on with the next one.`;
    return move.brief_text;
  }

  /** Runs a call if it may run; otherwise gives the Permit that says why not. */
  async run<R>(tool: string, args: Arguments, execute: () => R | Promise<R>, text: (value: R) => string = String): Promise<R | Permit> {
    const permit = await this.begin(tool, args);
    if (!permit.allowed) return permit;
    let told: { output?: string; error?: string } = { error: "the result cannot be told" };
    try {
      const value = await execute();
      told = { output: text(value) };
      return value;
    } catch (e) {
      told = { error: String(e) };
      throw e;
    } finally {
      await this.end(permit, told);
    }
  }

  /** Asks about a call. After a permit that allows it `end` must follow; until then other calls wait. */
  async begin(tool: string, args: Arguments, env?: Env): Promise<Permit> {
    const before = this.#turn;
    let release: () => void = () => undefined;
    this.#turn = new Promise((resolve) => (release = resolve));
    await before;
    let permit = new Permit(false, "", { tool });
    try {
      permit = await this.#decide(tool, args, env);
    } finally {
      if (permit.allowed) {
        this.#release = release;
        this.#running = permit;
      } else {
        this.stopped.push(permit);
        release();
      }
    }
    return permit;
  }

  /** Tells what came of a call that `begin` allowed. From a failure on nothing runs any more. */
  async end(permit: Permit, { output = "", error = "", blocked = false }: { output?: string; error?: string; blocked?: boolean } = {}): Promise<void> {
    if (permit !== this.#running) throw new RangeError("this call is not the one that runs");
    this.#running = undefined;
    try {
      await this.#observe(permit.call, { output: bounded(output), error: bounded(error), blocked });
    } catch (e) {
      this.#broken = `the policy server lost track of this run: ${String(e)}`;
      if (!(e instanceof GbtError)) throw e;
    } finally {
      this.#release();
    }
  }

  /** Claims to be done. */
  finish(): Promise<Outcome> {
    return this.session.finish();
  }

  async #decide(tool: string, args: Arguments, env: Env | undefined): Promise<Permit> {
    const call: Call = { tool, args, ...(env === undefined ? {} : { env }) };
    if (this.#broken !== "") return new Permit(false, `Not run: ${this.#broken}`, call);
    try {
      return await this.#checked(call);
    } catch (e) {
      if (!(e instanceof GbtError || e instanceof TypeError || e instanceof RangeError)) throw e;
      return new Permit(false, `Not run: the policy could not be asked: ${e.message}`, call);
    }
  }

  async #checked(call: Call): Promise<Permit> {
    let decision = await this.session.check(call);
    let agreed = await this.#agreed(call, decision);
    if ((decision.allowed || agreed) && (this.move === undefined || decision.in_macro !== true)) {
      const move = (this.move = await this.session.propose({ text: this.words, tool: call.tool, ...(call.args === undefined ? {} : { args: call.args }) }));
      const asked = decision;
      decision = await this.session.check(call); // the proposal may have ended the run
      if (this.#steer && move.verdict === "recover" && decision.in_macro !== true) return this.#withhold(call, `Not run. ${move.brief_text}`, decision);
      // The history is new, and with it the decision's id; what the user was asked is not, or is asked anew.
      if (!same(asked, decision)) agreed = await this.#agreed(call, decision);
    }
    if (agreed && decision.confirmation !== undefined) {
      await this.session.confirm(decision.confirmation, true);
      decision = await this.session.check(call);
    }
    if (decision.allowed) return new Permit(true, "", call, decision);
    return this.#withhold(call, `Not run: ${advice(decision)}`, decision);
  }

  async #withhold(call: Call, message: string, decision: Decision): Promise<Permit> {
    await this.#observe(call, { blocked: true });
    return new Permit(false, message, call, decision);
  }

  /** Asks the user where the policy wants to know. */
  async #agreed(call: Call, decision: Decision): Promise<boolean> {
    if (this.#ask === undefined || decision.disposition !== "approved_with_constraints") return false;
    const said: unknown = await this.#ask(call.tool, call.args ?? {}, decision);
    if (said === true) return true;
    if (decision.confirmation !== undefined) await this.session.confirm(decision.confirmation, false);
    return false;
  }

  async #observe(call: Call, result: Result): Promise<void> {
    await this.session.observe(call, result);
  }
}

/** What the user is asked about is the same: why, and what the call will do. */
function same(a: Decision, b: Decision): boolean {
  return JSON.stringify([a.reasons, a.effects]) === JSON.stringify([b.reasons, b.effects]);
}

function bounded(text: string): string {
  if (text.length <= maxOutput) return text;
  const half = maxOutput / 2;
  return `${text.slice(0, half)}\n[${text.length - 2 * half} characters left out]\n${text.slice(-half)}`;
}
