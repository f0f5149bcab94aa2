#!/usr/bin/env bash
# Lets SmolLM2 with 135M parameters draft plans for the tasks of drafts.tasks, one a line,
# and prints how many are valid and why the others are not. The model is far too small for
# it: what is looked at is that nothing invalid is written. Run by hand: it takes about a
# minute for each task on one busy core. drafts.sh N takes the first N tasks.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tasks=${1:-1000}
work=$(mktemp -d)
trap 'exec 9>&- || true; wait || true; rm -rf "$work"' EXIT
cd "$work"
. "$here/serve.sh"
mkdir dir && printf 'one\ntwo\n' >dir/notes.txt && printf 'def add(a, b):\n    return a - b\n' >dir/calc.py && printf 'name,age\nAda,36\n' >dir/people.csv
n=0 valid=0
while IFS= read -r task && [ $n -lt "$tasks" ]; do
  n=$((n + 1))
  printf '%s\n' "$task" >task.txt
  rm -f plan.yaml
  status=0
  timeout 600 ./gbt plan draft task.txt --model "$(cat address)" --model-name smollm2-135m --timeout 5m --max-tokens 200 --dir dir --json -o plan.yaml >out.json 2>err.txt </dev/null || status=$?
  case $status in
  0) [ -f plan.yaml ] || { echo "drafts: valid, and no plan"; exit 1; }
     ./gbt audit plan plan.yaml --dir dir >/dev/null 2>&1 || { echo "drafts: written, and the audit finds faults"; cat plan.yaml; exit 1; }
     valid=$((valid + 1)); cat plan.yaml ;;
  1) [ ! -e plan.yaml ] || { echo "drafts: not valid, and written"; exit 1; } ;;
  *) cat err.txt; exit 1 ;;
  esac
  "$venv/bin/python" -c 'import collections, json, sys
d = json.load(open("out.json"))
codes = collections.Counter(p["code"].split(":")[0] for p in d["problems"])
print("drafts: %-5s %d answers, %s: %s" % (d["valid"], d["answers"], ", ".join("%s %d" % c for c in sorted(codes.items())) or "no fault", sys.argv[1]), flush=True)
open("codes", "a").write("".join(c + "\n" for c in sorted(codes)))' "$task"
done <"$here/drafts.tasks"
[ $n -gt 0 ] || { echo "drafts: no task"; exit 1; }
echo "drafts: $valid of $n tasks have a valid plan; what was wrong with the last answer to the others, in tasks:"
sort codes | uniq -c | sort -rn
