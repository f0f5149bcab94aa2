#!/bin/sh
# Prints the figures of ../QUALITY.md, the encoder's own among them:
# measure.sh [cache folder of run.sh]. Reads ../shared/corpora beside the
# repository. The texts go to the cache folder and nowhere else.
set -eu
export PYTHONDONTWRITEBYTECODE=1
here=$(cd "$(dirname "$0")" && pwd)
mkdir -p "${1:-$here/../../../.venv}"
cache=$(cd "${1:-$here/../../../.venv}" && pwd)
[ -x "$cache/env/bin/python" ] || python3 -m venv "$cache/env"
"$cache/env/bin/python" -m pip install -q --disable-pip-version-check -r "$here/requirements.txt"
cd "$here/.."
go test -count=1 -run '^TestQuality$' . -texts "$cache/texts.jsonl"
"$cache/env/bin/python" "$here/measure.py" "$cache" "$cache/texts.jsonl" "$cache/texts.f32"
go test -count=1 -timeout 60m -run '^TestQuality$' -v . -folds 5 -encoder "$cache/texts.f32" | sed 's/^ *quality_test.go:[0-9]*: //'
