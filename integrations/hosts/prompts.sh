#!/usr/bin/env bash
# Says which calls a real Claude Code asks its user about, at a terminal of its own with a
# scripted model: without gbt, with its hook, and with gbt hook install --approve. Exit 1
# if it asks about something else than prompts.py says.
#
#   integrations/hosts/prompts.sh        five minutes; the first time 0.8 GB from npm
#
# Installs the agents beside this file, or in $GBT_HOSTS. They work in $GBT_WORK, or
# beside this file, and not below /tmp, which every profile takes for scratch.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/agents.sh"
work=$(mktemp -d "${GBT_WORK:-$here}/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/runs"
(cd "$here/../.." && go build -o "$work/bin/" ./cmd/gbt ./cmd/gbt-hook)
PYTHONDONTWRITEBYTECODE=1 python3 "$here/prompts.py" --bin "$hosts/node_modules/.bin" --gbt "$work/bin/gbt" --work "$work/runs" "$@"
