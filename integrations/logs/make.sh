#!/usr/bin/env bash
# Writes the logs in internal/corpora/logs/testdata that real libraries make. Makes a virtual environment in $GBT_VENV (default: .venv beside this file).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=${GBT_VENV:-$here/.venv}
to=$here/../../internal/corpora/logs/testdata/in

if [ ! -x "$venv/bin/python" ]; then
  python3 -m venv "$venv"
  "$venv/bin/pip" install --quiet -r "$here/requirements.txt"
fi
python() { PYTHONDONTWRITEBYTECODE=1 "$venv/bin/python" "$@"; }
python "$here/agentdojo_runs.py" "$to/agentdojo-files"
python "$here/langgraph_dumps.py" "$to/langchain"
