#!/usr/bin/env bash
# Runs sessions of daily work in real coding agents with a scripted model and the hook in the profile observe, and prints how often it
# would have asked in each. docs/interruptions.md says what they are.
#
#   integrations/hosts/sessions.sh                  all agents, 35 sessions (half an hour and more; the first time 0.8 GB from npm)
#   integrations/hosts/sessions.sh --keep LOGS codex     one, and keep the logs that it leaves
#
# Installs the agents beside this file, or in $GBT_HOSTS. They work in $GBT_WORK, or beside this file, and not below /tmp, which every
# profile takes for scratch.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/agents.sh"
work=$(mktemp -d "${GBT_WORK:-$here}/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/sessions"
(cd "$here/../.." && go build -o "$work/bin/" ./cmd/gbt ./cmd/gbt-hook)
PYTHONDONTWRITEBYTECODE=1 python3 "$here/sessions.py" --bin "$hosts/node_modules/.bin" --gbt "$work/bin/gbt" --work "$work/sessions" "$@"
