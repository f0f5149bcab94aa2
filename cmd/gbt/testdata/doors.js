// Answers lines of JSON-RPC with the WebAssembly module: node doors.js wasm_exec.js gbt.wasm < lines
const fs = require("node:fs");
const [exec, wasm] = process.argv.slice(2);
require(exec);
globalThis.gbtReady = () => {
	const answers = fs.readFileSync(0, "utf8").split("\n").filter((line) => line !== "").map((line) => globalThis.gbt(line) + "\n");
	// exit does not wait for what console.log has not written to a pipe yet (Node, process.exit).
	process.stdout.write(answers.join(""), () => process.exit(0));
};
const go = new globalThis.Go();
WebAssembly.instantiate(fs.readFileSync(wasm), go.importObject).then(({ instance }) => go.run(instance));
