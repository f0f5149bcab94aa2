#!/bin/sh
# Builds both modules and runs one decision in each: the page's under Node, the
# other one in Python with wasmtime (pip install wasmtime==50.0.1; the script
# makes a virtual environment if the interpreter has none).
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w' -o "$out/gbt.wasm" .
GOOS=wasip1 GOARCH=wasm go build -trimpath -ldflags='-s -w' -buildmode=c-shared -o "$out/gbt-wasi.wasm" .
cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" "$out/"
go run ../../cmd/gbt distill -q ../../examples/logs/mini-swe-agent -o "$out/policy.gbt"
ls -l "$out" | awk '{print $5, $9}'
node test_node.js "$out" "$out/policy.gbt"
python=${PYTHON:-python3}
if ! "$python" -c 'import wasmtime' 2>/dev/null; then
	"$python" -m venv "$out/venv"
	"$out/venv/bin/pip" install -q "wasmtime==50.0.1"
	python=$out/venv/bin/python
fi
PYTHONDONTWRITEBYTECODE=1 "$python" test_host.py "$out/gbt-wasi.wasm" "$out/policy.gbt"
