#!/bin/sh
# Reads made-up pages, help texts and completion data. It needs no network, no man
# and no bwrap; it makes a virtual environment if the interpreter has no PyYAML.
set -eu
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1
python=${PYTHON:-python3}
if ! "$python" -c 'import yaml' 2>/dev/null; then
	venv=$(mktemp -d)
	trap 'rm -rf "$venv"' EXIT
	../venv.sh "$venv" -r requirements.txt
	python=$venv/bin/python
fi
"$python" -m unittest -q
