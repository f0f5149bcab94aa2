#!/usr/bin/env bash
# Runs real MCP servers from npm and PyPI behind gbt mcp: harmless calls of their own documentation and harmful ones.
# Installs them, pinned, in .installed beside this file or in $GBT_MCP_SERVERS (the first time 0.6 GB, some minutes), and
# test.sh install does no more. Servers that need a browser or a Redis say NOT TESTED where there is none; fewer than ten
# servers are a failure.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=${GBT_MCP_SERVERS:-$here/.installed}
"$here/../npm.sh" "$home" "$here/package.json"
"$here/../venv.sh" "$home/.venv" -r "$here/requirements.txt"
[ "${1:-}" != install ] || exit 0
# Not below /tmp, which every profile takes for scratch.
cache=${XDG_CACHE_HOME:-$HOME/.cache}
mkdir -p "$cache"
work=$(mktemp -d "$cache/gbt-mcp-servers.XXXXXX")
trap 'rm -rf "$work"' EXIT
"$here/../gbt.sh" "$work/gbt"
PYTHONDONTWRITEBYTECODE=1 timeout 600 python3 "$here/servers.py" --gbt "$work/gbt" --npm "$home" --py "$home/.venv" --work "$work" "$@"
