#!/usr/bin/env bash
# Runs real coding agents with a scripted model whose end gbt's hook sends back (gbt hook
# install --check), and prints what became of each end. Exit 1 if an agent is not sent back, if
# one that obeys does not end, or if one that does not is not let go after three times.
#
#   integrations/hosts/ends.sh           all of them; installs them as run.sh does
#   integrations/hosts/ends.sh codex     one
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
GBT_SCRIPT=ends.py "$here/run.sh" "$@"
