#!/usr/bin/env bash
# Runs the test of every integration, as many at a time as there are cores, for most of
# them wait most of the time. What one says is shown when it ends; after one that failed
# no other begins. What they need is installed before, one after the other, for some need
# the same: test.sh install does that and no more. The program is built once for all,
# unless GBT names one.
set -euo pipefail
cd "$(dirname "$0")"
for t in */test.sh; do
  [ -x "$t" ] || { echo "integrations/$t is missing or cannot be run"; exit 1; }
  "./$t" install || { echo "integrations/$t failed to install what it needs"; exit 1; }
done
[ "${1:-}" != install ] || exit 0
if [ -z "${GBT:-}" ]; then
  built=$(mktemp -d)
  trap 'rm -rf "$built"' EXIT
  ./gbt.sh "$built/gbt"
  export GBT=$built/gbt
fi
# one TEST runs a test; xargs starts no more after a status of 255.
one() {
  local said status=0 begun=$SECONDS
  said=$("./$1" 2>&1) || status=$?
  printf -- '-- integrations/%s (%d s)\n%s\n' "$1" $((SECONDS - begun)) "$said"
  [ $status = 0 ] || { echo "integrations/$1 failed (exit status $status)"; return 255; }
}
export -f one
# The longest first.
tests=$(printf '%s\n' mcp-servers/test.sh python/test.sh */test.sh | awk '!had[$0]++')
xargs -P "$(getconf _NPROCESSORS_ONLN)" -I{} bash -c 'one {}' <<<"$tests" || { echo "integrations: not all tests passed"; exit 1; }
echo "integrations: $(wc -l <<<"$tests") tests passed"
