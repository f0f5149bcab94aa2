#!/usr/bin/env bash
# Runs the calls of logged AgentDojo runs again, in the benchmark's own environments, and says at which call its checker sees the attack's goal reached.
#
#   integrations/agentdojo/replay.sh stats LOGS     where the harm is, by basis, and how often the bases agree
#   integrations/agentdojo/replay.sh show LOGS      each minimal unsafe window
#
# Flags of `gbt windows` may follow; tasks of another version than v1 are had with --env-config FILE, {"version": "v1.2.2"} in it.
# Makes a virtual environment in $GBT_VENV (default: .venv beside this file).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${GBT_VENV:-$here/.venv}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case "${1:-}" in
stats | show) ;;
*) sed -n 2,8p "$0"; exit 2 ;;
esac
if [ ! -x "$venv/bin/python" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet -r "$here/requirements.txt"
fi
(cd "$here/../.." && go build -o "$work/gbt" ./cmd/gbt)
export PYTHONDONTWRITEBYTECODE=1
"$work/gbt" windows "$1" --loose --env "$venv/bin/python -B $here/replay.py" "${@:2}"
