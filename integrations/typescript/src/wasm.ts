import { ProtocolError } from "./errors.js";
import { overLines } from "./lines.js";
import { result } from "./operation.js";
import { Policy } from "./schema.js";
import { BaseClient } from "./session.js";

/**
 * The runtime in this process: its WebAssembly module, once it runs, is the function `gbt` of the page.
 * One policy and its sessions, without files, clock or network. Nothing here needs Node.
 */
export class Module {
  readonly #gbt: (line: string) => string | null;

  constructor(gbt: (line: string) => string | null) {
    this.#gbt = gbt;
  }

  /**
   * Opens a policy file, with keys only one that they signed. Sessions of another one are dropped. A key may be a key ring. `need`
   * different keys must have signed (1 if it is left out), and a sequence number below `minSequence` is refused.
   */
  open(policy: Uint8Array, keys: readonly string[] = [], least: { readonly need?: number; readonly minSequence?: number } = {}): Policy {
    const { need = 0, minSequence = 0 } = least;
    return Policy.read(this.#ask("openPolicy", { policy: base64(policy), keys, need, min_sequence: minSequence }), "answer");
  }

  /** A session as it stands, as text, for another page or another day. */
  save(session: string): string {
    const { data } = this.#ask("saveSession", { session }) as { data?: unknown };
    if (typeof data !== "string") throw new ProtocolError("the answer has no session");
    return data;
  }

  /** Brings back what `save` gave, under its id; `client().resume` goes on with it. */
  restore(data: string): void {
    this.#ask("restoreSession", { data });
  }

  /** A client of this module. */
  client(): BaseClient {
    return new BaseClient(overLines((line) => this.#exchange(line)));
  }

  #exchange(line: string): string {
    return this.#gbt(line) ?? "";
  }

  #ask(method: string, params: object): unknown {
    return result(this.#exchange(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })));
  }
}

function base64(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}
