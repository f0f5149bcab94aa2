// Answers lines of JSON-RPC with the WebAssembly module: node doors.js wasm_exec.js gbt.wasm < lines
const fs = require("node:fs");
const [exec, wasm] = process.argv.slice(2);
require(exec);
globalThis.gbtReady = () => {
	for (const line of fs.readFileSync(0, "utf8").split("\n")) {
		if (line !== "") console.log(globalThis.gbt(line));
	}
	process.exit(0);
};
const go = new globalThis.Go();
WebAssembly.instantiate(fs.readFileSync(wasm), go.importObject).then(({ instance }) => go.run(instance));
