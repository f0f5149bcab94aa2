#!/usr/bin/env bash
# Runs a client and a server of the Python SDK through gbt mcp.
# Makes a virtual environment in $GBT_VENVS/mcp (default: .venv beside this file); test.sh install does no more.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${GBT_VENVS:+$GBT_VENVS/mcp}
venv=${venv:-$here/.venv}
"$here/../venv.sh" "$venv" -r "$here/requirements.txt"
[ "${1:-}" != install ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/../gbt.sh" "$work/gbt"
PYTHONDONTWRITEBYTECODE=1 timeout 120 "$venv/bin/python" "$here/check.py" "$work/gbt" "$work" 2>"$work/stderr" || { tail -20 "$work/stderr"; exit 1; }
