#!/usr/bin/env bash
# Makes examples/logs again: run.sh [OUT]. Needs Linux, git, GNU tools and Python 3.12,
# and a package index for the first run; the agents themselves use no network.
# "run.sh check" checks the logs, "run.sh again" makes them once more and compares the bytes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
venv=$here/.venv

python312() {
  local c
  for c in "${PYTHON:-}" python3.12 python3 "$HOME"/.pyenv/versions/3.12*/bin/python; do
    if [ -n "$c" ] && "$c" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 12))' 2>/dev/null; then
      echo "$c"
      return
    fi
  done
  echo "run.sh: no Python 3.12 found; name one in PYTHON" >&2
  return 2
}

if ! cmp -s "$here/requirements.txt" "$venv/made-from.txt"; then
  python=$(python312)
  "$python" -m venv --clear "$venv"
  "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-deps -r "$here/requirements.txt"
  cp "$here/requirements.txt" "$venv/made-from.txt"
fi

home=$(mktemp -d)
trap 'rm -rf "$home"' EXIT
# Nothing of the user's own set-up may reach an agent, and nothing may reach the network.
run() {
  env -i HOME="$home" PATH="$venv/bin:/usr/local/bin:/usr/bin:/bin" LC_ALL=C.UTF-8 TZ=UTC TERM=dumb \
    PYTHONDONTWRITEBYTECODE=1 PYTHONHASHSEED=0 LITELLM_LOCAL_MODEL_COST_MAP=True MSWEA_SILENT_STARTUP=1 \
    OPENHANDS_SUPPRESS_BANNER=1 LANGSMITH_TRACING=false "$venv/bin/python" "$@"
}

case "${1:-}" in
  check) run "$here/check.py" "$here/../logs" ;;
  again)
    run "$here/make.py" "$home/logs"
    run "$here/check.py" "$here/../logs" "$home/logs"
    ;;
  *) run "$here/make.py" "${1:-$here/../logs}" && run "$here/check.py" "${1:-$here/../logs}" ;;
esac
