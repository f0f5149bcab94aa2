#!/bin/sh
# npm.sh DIR PACKAGE.JSON installs in DIR what PACKAGE.JSON names, unless it was installed before. What the packages named
# need is taken as it was on the day that the file as-of holds (npm help config, before): the newest of it may be
# published in parts, or only partly mirrored. A second try after half a minute, for a network fails at times.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
as_of=$(cat "$here/as-of")
made=$(printf '%s\n' "$as_of"; cat "$2")
[ ! -e "$1/node_modules/installed" ] || [ "$(cat "$1/node_modules/installed")" != "$made" ] || exit 0
mkdir -p "$1"
[ "$1/package.json" -ef "$2" ] || cp "$2" "$1/package.json"
cd "$1"
export PUPPETEER_SKIP_DOWNLOAD=1 PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD=1
install() { npm install --before="$as_of" --no-audit --no-fund --no-package-lock --loglevel=error >/dev/null; }
install || { echo "npm.sh: once more, in 30 s" >&2 && sleep 30 && install; }
printf '%s\n' "$made" >node_modules/installed
