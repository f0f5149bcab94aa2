#!/usr/bin/env bash
# Types and tests of the Python client and of its wrappers for mini-swe-agent and LangGraph, against the real server.
# Needs Go and Python 3.11 or later, and a package index for the first run. Set GBT to a built program to save building it.
# test.sh install makes the virtual environments and no more.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=$here/.venv

"$here/../venv.sh" "$venv" -r "$here/requirements.txt" -e "$here"
[ "${1:-}" != install ] || exec "$here/test-openhands.sh" install

cd "$here"
PYTHONDONTWRITEBYTECODE=1 "$venv/bin/mypy"
# Nothing of the user's own set-up may reach an agent, and no telemetry leaves.
home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
PYTHONDONTWRITEBYTECODE=1 MSWEA_SILENT_STARTUP=1 MSWEA_GLOBAL_CONFIG_DIR=$home LITELLM_LOCAL_MODEL_COST_MAP=True LANGSMITH_TRACING=false \
  "$venv/bin/python" -m pytest --ignore tests/test_openhands.py "$@"
[ $# -gt 0 ] || "$here/test-openhands.sh"
