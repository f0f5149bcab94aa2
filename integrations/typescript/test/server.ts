import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

// From out/test/ to the root of the repository.
export const root = join(dirname(fileURLToPath(import.meta.url)), "../../../..");
export const token = "0123456789abcdef0123456789abcdef";

export interface Running {
  readonly address: string;
  stop(): Promise<void>;
}

/** The program and a policy distilled from the example logs, in a folder of their own. */
export function prepare(): { gbt: string; policy: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), "gbt-"));
  const gbt = process.env["GBT"] ?? join(folder, "gbt");
  if (process.env["GBT"] === undefined) execFileSync("go", ["build", "-o", gbt, "./cmd/gbt"], { cwd: root });
  const policy = join(folder, "policy.gbt");
  execFileSync(gbt, ["distill", "--quiet", join(root, "examples/logs"), "-o", policy], { stdio: "pipe" });
  return { gbt, policy, remove: () => rmSync(folder, { recursive: true }) };
}

/** The real server; resolves once it listens. */
export function serve(gbt: string, policy: string, listen: string): Promise<Running> {
  const process_ = spawn(gbt, ["serve", "--policy", policy, "--listen", listen], {
    env: { ...process.env, GBT_TOKEN: token },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = new Promise<void>((resolve) => process_.on("exit", () => resolve()));
  return new Promise((resolve, reject) => {
    let said = "";
    process_.stderr.on("data", (part: Buffer) => {
      said += part.toString();
      const address = /^gbt: listening on (\S+)$/m.exec(said)?.[1];
      if (address === undefined) return;
      resolve({
        address,
        stop: async () => {
          process_.kill();
          await ended;
        },
      });
    });
    process_.on("exit", () => reject(new Error(said)));
  });
}
