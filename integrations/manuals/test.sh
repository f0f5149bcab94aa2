#!/bin/sh
# Reads made-up pages, help texts and completion data. It needs no network, no man
# and no bwrap; it makes a virtual environment, .venv, if the interpreter has no
# PyYAML. test.sh install does no more.
set -eu
cd "$(dirname "$0")"
export PYTHONDONTWRITEBYTECODE=1
python=${PYTHON:-python3}
if ! "$python" -c 'import yaml' 2>/dev/null; then
	../venv.sh .venv -r requirements.txt
	python=.venv/bin/python
fi
[ "${1:-}" != install ] || exit 0
"$python" -m unittest -q
