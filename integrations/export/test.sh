#!/bin/sh
# Exports the policy of the example logs, and reads every format with a library
# that knows nothing of gbt: pydot, lxml, jsonschema, and pm4py for event logs. It
# makes a virtual environment for them, .venv, if the interpreter has them not;
# test.sh install does no more.
set -eu
cd "$(dirname "$0")"
python=${PYTHON:-python3}
if ! "$python" -c 'import jsonschema, lxml, pm4py, pydot' 2>/dev/null; then
	../venv.sh .venv -r requirements.txt
	python=.venv/bin/python
fi
[ "${1:-}" != install ] || exit 0
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
../gbt.sh "$out/gbt"
"$out/gbt" distill -q ../../examples/logs -o "$out/policy.gbt" >/dev/null
for to in dot mermaid btcpp cel json schema; do
	"$out/gbt" export "$out/policy.gbt" --to $to -o "$out/policy.$to"
done
for to in xes ocel; do
	"$out/gbt" export "$out/policy.gbt" --to $to --logs ../../examples/logs -o "$out/runs.$to"
done
"$python" check.py "$out"
