#!/usr/bin/env bash
# Runs real coding agents (Claude Code, Codex, Copilot, Droid, Gemini CLI, opencode) with a
# scripted model, without gbt's hook, with it, and with a hook that is gone, and
# prints what the same calls did. Exit 1 if a call does harm with the hook, or
# none without it, if harmless work is held up, or if anything runs without the
# hook that the settings name.
#
#   integrations/hosts/run.sh            all of them (some minutes; the first time 0.5 GB from npm)
#   integrations/hosts/run.sh codex      one
#
# Installs them beside this file, or in $GBT_HOSTS. They get a home directory of
# their own and talk to a model on this machine.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/agents.sh"
# Not below /tmp, which every profile takes for scratch.
work=$(mktemp -d "$here/work.XXXXXX")
trap 'rm -rf "$work"' EXIT
(cd "$here/../.." && go build -o "$work/" ./cmd/gbt ./cmd/gbt-hook)
PYTHONDONTWRITEBYTECODE=1 python3 "$here/${GBT_SCRIPT:-hosts.py}" --bin "$hosts/node_modules/.bin" --gbt "$work/gbt" --work "$work" "$@"
