#!/usr/bin/env bash
# Runs the test of every integration, and stops at the first that fails. Each one
# installs what it needs. The program is built once for all, unless GBT names one.
set -euo pipefail
cd "$(dirname "$0")"
if [ -z "${GBT:-}" ]; then
  built=$(mktemp -d)
  trap 'rm -rf "$built"' EXIT
  ./gbt.sh "$built/gbt"
  export GBT=$built/gbt
fi
ran=0
for t in */test.sh; do
  [ -x "$t" ] || { echo "integrations/$t is missing or cannot be run"; exit 1; }
  echo "-- integrations/$t"
  "./$t" || { echo "integrations/$t failed"; exit 1; }
  ran=$((ran + 1))
done
echo "integrations: $ran tests passed"
