#!/bin/sh
# Runs every benchmark ten times and prints, with benchstat, what each way to
# decide costs beside gbt. COUNT and TIME change the number and length of runs.
set -eu
cd "$(dirname "$0")"
out=$(mktemp)
trap 'rm -f "$out"' EXIT
# One process for each way: what one leaves on the heap is no other's cost.
for way in Commands Gates/engine=gbt Gates/engine=cel-go Gates/engine=opa; do
	go test -mod=mod -run '^$' -bench "$way" -count "${COUNT:-10}" -benchtime "${TIME:-300ms}" . >> "$out"
done
echo "== whole decisions on commands, beside a list of 100 patterns"
go tool benchstat -filter '.name:Commands' -col /how "$out"
echo "== gates alone, beside cel-go and OPA"
go tool benchstat -filter '.name:Gates' -row /gates -col /engine "$out"
echo "== gbt's gates alone, by their number"
go tool benchstat -filter '.name:Gates /engine:gbt' -row .name -col /gates "$out"
