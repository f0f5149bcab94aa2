#!/usr/bin/env bash
# Tests of the wrapper for openhands-sdk, against the real SDK and the real server. test.sh runs it where there is a Python 3.12, which the
# SDK needs. Name one in PYTHON where it is not found, and a built gbt in GBT to save building it. With install it makes the virtual
# environment and no more.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=$here/.venv-openhands

python312() {
  local c
  for c in "${PYTHON:-}" python3.12 python3 "$HOME"/.pyenv/versions/3.12*/bin/python; do
    if [ -n "$c" ] && "$c" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 12))' 2>/dev/null; then
      echo "$c"
      return
    fi
  done
  return 1
}

python=$(python312) || { echo "python: openhands-sdk NOT TESTED, no Python 3.12 found; name one in PYTHON"; exit 0; }
PYTHON=$python "$here/../venv.sh" "$venv" -r "$here/requirements-openhands.txt" -e "$here"
[ "${1:-}" != install ] || exit 0

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
cd "$here"
# The home of the SDK is the user's, and it keeps settings there; Go's caches stay where they are.
PYTHONDONTWRITEBYTECODE=1 LITELLM_LOCAL_MODEL_COST_MAP=True OPENHANDS_SUPPRESS_BANNER=1 \
  GOPATH=$(go env GOPATH) GOCACHE=$(go env GOCACHE) HOME=$home \
  "$venv/bin/python" -m pytest tests/test_openhands.py "$@"
