#!/usr/bin/env bash
# Runs more real MCP servers behind gbt mcp, as test.sh does, and compares what nine of them say to a client with what
# they say behind gbt (passing.py). By hand: they install in some minutes (1.5 GB) and run in three, most of it waiting
# for a network that a test does not have. Installs beside this file or in $GBT_MCP_SERVERS.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
home=${GBT_MCP_SERVERS:-$here}/more
mkdir -p "$home/py/bin"
"$here/../npm.sh" "$home" "$here/more/package.json"
python=$(command -v python3.12 || command -v python3)
while read -r -a packages; do
  env="$home/py/${packages[0]%%==*}"
  [ "$(cat "$env/installed" 2>/dev/null)" != "${packages[*]}" ] || continue
  "$python" -m venv "$env"
  # What cannot be had for this Python is NOT TESTED.
  "$env/bin/pip" install --quiet --disable-pip-version-check "${packages[@]}" || continue
  find "$env/bin" -type f -newer "$env/pyvenv.cfg" \( -name '*mcp*' -o -name '*memory*' \) -exec ln -sf {} "$home/py/bin/" \;
  echo "${packages[*]}" >"$env/installed"
done < <(grep -v '^#' "$here/more/requirements.txt")
# Not below /tmp, which every profile takes for scratch, nor in a hidden directory, which notes are not kept in.
work=$(mktemp -d "$HOME/gbt-mcp-servers.XXXXXX")
trap 'rm -rf "$work"' EXIT
(cd "$here/../.." && go build -o "$work/gbt" ./cmd/gbt)
names=("$@")
if [ ${#names[@]} = 0 ]; then
  for f in "$here"/more/calls/*.json; do names+=("$(basename "$f" .json)"); done
fi
options=(--gbt "$work/gbt" --npm "$home" --py "$home/py" --calls "$here/more/calls")
mkdir "$work/calls" "$work/passing"
PYTHONDONTWRITEBYTECODE=1 timeout 900 python3 "$here/servers.py" "${options[@]}" --work "$work/calls" "${names[@]}"
[ $# != 0 ] || PYTHONDONTWRITEBYTECODE=1 timeout 600 python3 "$here/passing.py" "${options[@]}" --work "$work/passing" gitmcp gitlab mongodb awsdocs email obsidian k8s
