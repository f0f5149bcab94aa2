#!/bin/sh
# Draws policies of 300, 3,000 and 10,000 nodes and works in their pages in a real
# browser: the one in CHROME, or Chromium or Chrome where there is one; root on
# Debian gets Chromium installed, which is all that test.sh install does. Without one
# it fails: nothing else tests the page's script.
set -eu
cd "$(dirname "$0")"
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

. ../browser.sh
[ "${1:-}" != install ] || exit 0
[ -n "$chrome" ] || { echo "view: no Chromium or Chrome on this machine: set CHROME"; exit 1; }
../gbt.sh "$out/gbt"
go build -o "$out/grow" ./grow
"$out/gbt" distill -q ../../examples/logs -o "$out/policy.gbt" >/dev/null
pages=
for n in 300 3000 10000; do
	"$out/grow" "$out/policy.gbt" $n "$out/$n.gbt"
	"$out/gbt" view "$out/$n.gbt" -o "$out/$n.html" 2>/dev/null
	pages="$pages $out/$n.html"
done
"$out/gbt" view "$out/300.gbt" "$out/3000.gbt" -o "$out/two.html" 2>/dev/null
"$out/gbt" view "$out/policy.gbt" --logs ../../examples/logs/langgraph --episode agentdojo -o "$out/run.html" 2>/dev/null
"$out/gbt" view "$out/policy.gbt" --calls --logs ../../examples/logs -o "$out/windows.html" 2>/dev/null
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=.. "${PYTHON:-python3}" test_page.py "$chrome" $pages "$out/two.html" "$out/run.html" "$out/windows.html"
