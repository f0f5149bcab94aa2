#!/bin/sh
# gbt.sh FILE puts the program there: the one in GBT, or one built from this tree.
set -eu
if [ -n "${GBT:-}" ]; then
	ln "$GBT" "$1" 2>/dev/null || cp "$GBT" "$1"
else
	case $1 in /*) file=$1 ;; *) file=$PWD/$1 ;; esac
	cd "$(dirname "$0")/.."
	go build -o "$file" ./cmd/gbt
fi
