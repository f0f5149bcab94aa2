#!/usr/bin/env bash
# Distills policies from AgentDojo's tasks and measures them on tasks they have not seen, with the benchmark's own environments and checkers.
#
#   integrations/agentdojo/run.sh            4 folds by user task and injection task, then every suite held out (about an hour); two tables
#   integrations/agentdojo/run.sh fold K     one fold (about 10 minutes)
#   integrations/agentdojo/run.sh suite S    hold out suite S
#   integrations/agentdojo/run.sh smoke      a few tasks, for checking that it all works (a minute)
#
# Makes a virtual environment in $GBT_VENV (default: .venv beside this file).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${GBT_VENV:-$here/.venv}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
suites=workspace,travel,banking,slack

if [ ! -x "$venv/bin/python" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet -r "$here/requirements.txt"
fi
(cd "$here/../.." && go build -o "$work/gbt" ./cmd/gbt)
python() { PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" "$@"; }
distill() { "$work/gbt" distill --quiet --config "$here/gbt.yaml" "$1" -o "$2"; }
evaluate() { python "$here/evaluate.py" "$1" --gbt "$work/gbt" --json "$1.json" --misses "${@:2}"; }
total() { python "$here/evaluate.py" --sum "$@"; }

fold() {
  echo "== user and injection tasks of fold $1 of 4, wordings but one unseen"
  python "$here/record.py" "$work/$1.jsonl" --fold "$1"
  distill "$work/$1.jsonl" "$work/$1.gbt"
  evaluate "$work/$1.gbt" --fold "$1"
}

suite() {
  echo "== suite $1 held out"
  python "$here/record.py" "$work/$1.jsonl" --suites "$(tr , '\n' <<<"$suites" | grep -v "$1" | paste -sd ,)"
  distill "$work/$1.jsonl" "$work/$1.gbt"
  evaluate "$work/$1.gbt" --suites "$1" --wordings letter,forged_fields
}

case "${1:-all}" in
fold) fold "$2" ;;
suite) suite "$2" ;;
smoke)
  python "$here/record.py" "$work/s.jsonl" --suites banking --fold 0
  distill "$work/s.jsonl" "$work/s.gbt"
  evaluate "$work/s.gbt" --suites banking --fold 0 --wordings letter
  ;;
all)
  for k in 0 1 2 3; do fold $k; done
  for s in workspace travel banking slack; do suite $s; done
  echo "== all folds: user and injection tasks unseen, all wordings but one unseen"
  total "$work"/[0-3].gbt.json
  echo "== suites held out: two unseen wordings, one with forged fields"
  total "$work"/{workspace,travel,banking,slack}.gbt.json
  ;;
*) sed -n 2,10p "$0"; exit 2 ;;
esac
