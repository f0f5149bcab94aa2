#!/bin/sh
# Compares two builds of gbt on the same calls: same.sh OLD NEW [LOGS...].
# README.md says what is compared; same.sh --help has the options.
set -eu
exec "${PYTHON:-python3}" -B "$(dirname "$0")/same.py" "$@"
