// The page: loads the module, then decides on what the fields hold.
import { Module } from "./gbt-policy/wasm.js";

const field = (id) => document.getElementById(id);

// decide runs one session over a policy: one proposal, one check.
export async function decide(policy, task, words, command) {
	const module = new Module(globalThis.gbt);
	module.open(policy);
	const session = await module.client().start(task, { cwd: "/workspace", roots: ["/workspace"] });
	const move = await session.propose(words);
	const { disposition, reasons } = await session.check({ tool: "bash", args: { command } });
	return { verdict: move.verdict, reason: move.reason, prompt: move.brief_text, disposition, reasons };
}

if (globalThis.document) {
	globalThis.gbtReady = () => {
		field("out").textContent = "Choose a policy.";
		field("go").disabled = false;
	};
	field("go").onclick = async () => {
		const file = field("policy").files[0];
		if (!file) return;
		const policy = new Uint8Array(await file.arrayBuffer());
		const out = await decide(policy, field("task").value, field("words").value, field("command").value).catch((e) => ({ error: String(e) }));
		field("out").textContent = JSON.stringify(out, null, "  ");
	};
	const go = new Go();
	WebAssembly.instantiateStreaming(fetch("gbt.wasm"), go.importObject).then((m) => go.run(m.instance));
}
