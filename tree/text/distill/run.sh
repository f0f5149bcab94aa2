#!/bin/sh
# Makes the embedding table anew: run.sh [cache folder] [options of distill.py].
# Needs Go, Python 3.11 or later, npm, 4 GB of memory, about 200 MB of downloads
# and, on two cores, about an hour. The environment and the downloads go to the
# cache folder, by default .venv at the root of the repository, which git ignores.
#
# The table is the same to the last bit only on the same processor with the same
# numpy: matrix products round differently elsewhere. Its name says which it is.
# It stays in the cache folder; the package's tests make of it what the package holds.
set -eu
export PYTHONDONTWRITEBYTECODE=1
here=$(cd "$(dirname "$0")" && pwd)
cache=${1:-$here/../../../.venv}
[ $# -gt 0 ] && shift
mkdir -p "$cache"
cache=$(cd "$cache" && pwd)
[ -x "$cache/env/bin/python" ] || python3 -m venv "$cache/env"
"$cache/env/bin/python" -m pip install -q --disable-pip-version-check -r "$here/requirements.txt"
rm -f "$cache/table.gbtembed"
"$cache/env/bin/python" "$here/distill.py" --cache "$cache" --out "$here/.." "$@"
[ -f "$cache/table.gbtembed" ] || exit 0 # with --only-vectors
cd "$here/.." && go test -count=1 -run '^TestShippedForm$' . -table "$cache/table.gbtembed"
