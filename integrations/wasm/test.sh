#!/bin/sh
# Builds both modules and runs one decision in each: the page's under Node and in
# a real browser, the other one in Python with wasmtime. The page needs the client
# of ../typescript, which npm builds; Python needs that of ../python and
# wasmtime==50.0.1: the script makes a virtual environment if the interpreter has
# none. The browser is the one in CHROME, or Chromium or Chrome where there is
# one; root on Debian gets Chromium installed. Without one it says NOT TESTED.
# test.sh install installs all this and no more.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
cd "$here"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
../typescript/test.sh install
. ../browser.sh
python=${PYTHON:-python3}
if ! "$python" -c 'import gbt_policy.wasm' 2>/dev/null; then
	# It holds a copy of ../python, which may have changed.
	[ -z "$(find ../python/pyproject.toml ../python/src -type f -name '*.[pt]*' ! -path '*.egg-info/*' -newer .venv/installed 2>&1)" ] || rm -f .venv/installed
	../venv.sh .venv "wasmtime==50.0.1" ../python
	python=.venv/bin/python
fi
[ "${1:-}" != install ] || exit 0

GOOS=js GOARCH=wasm go build -ldflags='-s -w' -o "$out/gbt.wasm" .
GOOS=wasip1 GOARCH=wasm go build -ldflags='-s -w' -buildmode=c-shared -o "$out/gbt-wasi.wasm" .
cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" index.html page.js "$out/"
(cd ../typescript && npx --no-install tsc -p tsconfig.build.json --outDir "$out/gbt-policy")
echo '{"type":"module"}' >"$out/package.json"
cp test_node.js "$out/"
../gbt.sh "$out/gbt-host"
"$out/gbt-host" distill -q ../../examples/logs/mini-swe-agent -o "$out/policy.gbt"
ls -l "$out" | awk '{print $5, $9}'
node "$out/test_node.js" "$out" "$out/policy.gbt"

if [ -n "$chrome" ]; then
	PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=.. "$python" test_page.py "$chrome" "$out" "$out/policy.gbt"
else
	echo "wasm: no Chromium or Chrome on this machine, the page in a browser is NOT TESTED"
fi
PYTHONDONTWRITEBYTECODE=1 "$python" test_host.py "$out/gbt-wasi.wasm" "$out/policy.gbt"
