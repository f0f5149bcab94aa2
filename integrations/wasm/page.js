// The page: loads the module, then decides on what the fields hold.
"use strict";

const field = (id) => document.getElementById(id);
const ask = (request) => JSON.parse(globalThis.gbt(JSON.stringify(request)));

// decide runs one session over a policy: one proposal, one check.
function decide(policy, task, words, command) {
	const opened = ask({ do: "open", policy });
	if (!opened.ok) return opened;
	const env = { cwd: "/workspace", roots: ["/workspace"], uid: -1, gid: -1 };
	ask({ do: "start", session: "page", task: { id: "page", text: task }, env });
	const move = ask({ do: "propose", session: "page", text: words });
	const answer = ask({ do: "check", session: "page", tool: "bash", args: { command } });
	return { verdict: move.verdict, reason: move.reason, prompt: move.prompt, disposition: answer.disposition, reasons: answer.reasons };
}

async function base64(file) {
	const bytes = new Uint8Array(await file.arrayBuffer());
	let text = "";
	for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
	return btoa(text);
}

if (globalThis.document) {
	globalThis.gbtReady = () => {
		field("out").textContent = "Choose a policy.";
		field("go").disabled = false;
	};
	field("go").onclick = async () => {
		const file = field("policy").files[0];
		if (!file) return;
		const out = decide(await base64(file), field("task").value, field("words").value, field("command").value);
		field("out").textContent = JSON.stringify(out, null, "  ");
	};
	const go = new Go();
	WebAssembly.instantiateStreaming(fetch("gbt.wasm"), go.importObject).then((m) => go.run(m.instance));
} else {
	globalThis.decide = decide; // the test runs this file outside of a page
}
