#!/usr/bin/env bash
# Runs the test of every integration, and stops at the first that fails. Each one
# installs what it needs. The one with a real model takes minutes of its own: it
# runs with GBT_INTEROP=all.
set -euo pipefail
cd "$(dirname "$0")"
ran=0
for t in */test.sh; do
  if [ "$t" = run/test.sh ] && [ "${GBT_INTEROP:-}" != all ]; then
    echo "-- integrations/$t NOT RUN: GBT_INTEROP=all runs it"
    continue
  fi
  [ -x "$t" ] || { echo "integrations/$t is missing or cannot be run"; exit 1; }
  echo "-- integrations/$t"
  "./$t" || { echo "integrations/$t failed"; exit 1; }
  ran=$((ran + 1))
done
echo "integrations: $ran tests passed"
