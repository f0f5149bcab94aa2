// written by gbt hook install for opencode; gbt hook uninstall removes it.
//
// Every tool call is put before gbt-hook. Throwing blocks the call, and this
// throws unless the hook ended with exit code 0 and the decision allow: when it
// can't be started, takes too long, is killed or says anything else.
import { spawn } from "node:child_process";

const HOOK = ["HOOK"];
const LIMIT = 10000; // milliseconds

function decide(call, ...more) {
  return new Promise((resolve) => {
    const child = spawn(HOOK[0], [...HOOK.slice(1), ...more], { stdio: ["pipe", "pipe", "pipe"] });
    let out = "";
    let err = "";
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      resolve({ reason: "gbt: the hook took too long; the call is blocked" });
    }, LIMIT);
    const end = (answer) => {
      clearTimeout(timer);
      resolve(answer);
    };
    child.on("error", (e) => end({ reason: `gbt: the hook could not be started; the call is blocked: ${e.message}` }));
    child.stdin.on("error", () => {}); // the hook ended early: its exit code says why
    child.stdout.on("data", (data) => (out += data));
    child.stderr.on("data", (data) => (err += data));
    child.on("close", (code) => {
      let answer = {};
      try {
        answer = JSON.parse(out);
      } catch {
        // said below
      }
      if (code === 0 && answer !== null && answer.decision === "allow") {
        end({ allow: true });
        return;
      }
      end({ reason: (answer && answer.reason) || err.trim() || "gbt: the hook failed; the call is blocked" });
    });
    child.stdin.end(JSON.stringify(call));
  });
}

export const GbtHook = async ({ directory, worktree }) => ({
  "tool.execute.before": async (input, output) => {
    const answer = await decide({
      event: "tool.execute.before",
      tool: input.tool,
      args: output.args,
      sessionID: input.sessionID,
      callID: input.callID,
      directory,
      worktree,
    });
    if (answer.allow !== true) {
      throw new Error(answer.reason);
    }
  },
  // The hook notes what the call returned. Nothing can be blocked any more.
  "tool.execute.after": async (input, output) => {
    await decide(
      {
        event: "tool.execute.after",
        tool: input.tool,
        args: input.args ?? {},
        output: output?.output ?? output,
        sessionID: input.sessionID,
        callID: input.callID,
        directory,
        worktree,
      },
      "-after",
    );
  },
});
