import { line, result, type Transport } from "./operation.js";

/** JSON-RPC over whatever carries a line and brings one back: a WebAssembly module, or the streams of `gbt serve --stdio`. */
export function overLines(exchange: (line: string) => string | Promise<string>): Transport {
  return async (request) => {
    const answer = result(await exchange(line(request)));
    return request.operation.answer === undefined ? undefined : answer;
  };
}
