#!/usr/bin/env bash
# Compares the policies that a pull request changes with those of its base. Called by action.yml; the variables are its inputs.
# Writes Markdown to the step's summary and SARIF to files. Exit status: 0, or that of gbt for the worst that was found.
set -euo pipefail

fail() { # status, sentence
  echo "::error::$2"
  exit "$1"
}

# program prints where gbt is, and builds it if it is nowhere.
program() {
  if [ -n "${GBT:-}" ]; then
    echo "$GBT"
  elif command -v gbt; then
    :
  else
    local source="${GITHUB_ACTION_PATH:?}/../.." built="${RUNNER_TEMP:-/tmp}/gbt-action/gbt"
    (cd "$source" && GOPROXY=off GOTOOLCHAIN=local go build -o "$built" ./cmd/gbt) >&2 || return 1
    echo "$built"
  fi
}

# base prints the commit to compare with.
base() {
  local commit="${BASE:-}"
  if [ -z "$commit" ] || [ -z "${commit//0/}" ]; then # a push of a new branch has zeros
    commit="HEAD^"
  fi
  git rev-parse --quiet --verify "$commit^{commit}" >/dev/null || return 1
  git merge-base "$commit" HEAD 2>/dev/null || git rev-parse "$commit"
}

lines() { # the lines of a text that are not empty, each with a NUL behind it
  local line
  while IFS= read -r line; do
    [ -z "$line" ] || printf '%s\0' "$line"
  done <<<"$1"
}

out() { printf '%s\n' "$1" >>"${GITHUB_STEP_SUMMARY:-/dev/stdout}"; }

# shown is a name for a code span: line ends and backticks would end it.
shown() { local name=${1//[$'\n\r']/ } && printf '%s' "${name//\`/}"; }

# blob writes a file of a commit, and says whether there is one.
blob() { git cat-file -e "$1:$2" 2>/dev/null && git cat-file blob "$1:$2" >"$3"; }

worst=0 weaker=false different=false files=
note() { # status of gbt for one policy
  case $1 in
    0) ;;
    1) different=true ;;
    3) weaker=true ;;
    *) if [ "$1" -gt "$worst" ]; then worst=$1; fi ;;
  esac
}

compare() { # old path or nothing, new path or nothing
  local old=$1 new=$2 status=0 name
  if [ -z "$new" ]; then
    out "**weaker**: \`$(shown "$old")\` is deleted: nothing stops any more what it stopped"
    note 3
    return
  fi
  blob HEAD "$new" "$work/new.gbt"
  if [ "${#keys[@]}" -gt 0 ] && ! "$gbt" verify "$work/new.gbt" "${keys[@]}"; then
    out "**not verified**: \`$(shown "$new")\` is not signed by a trusted key, or is damaged"
    note 4
  fi
  if [ -z "$old" ]; then
    out "new policy: \`$(shown "$new")\`"
    note 1
    return
  fi
  blob "$from" "$old" "$work/old.gbt"
  rm -f "$work"/*.contexts.parquet
  blob "$from" "${old%.gbt}.contexts.parquet" "$work/old.contexts.parquet" || true
  blob HEAD "${new%.gbt}.contexts.parquet" "$work/new.contexts.parquet" || true
  name=${new//[^A-Za-z0-9._-]/_}
  case " $files " in *" $name "*) name=$name-$(printf %s "$new" | git hash-object --stdin) ;; esac # else one would hide the other's findings
  files="$files $name"
  "$gbt" diff "$work/old.gbt" "$work/new.gbt" --markdown --exit-code --sarif "$sarif/$name.sarif" --at "$new" >"$work/out.md" || status=$?
  out "$(cat "$work/out.md")"
  case $status in 0 | 1 | 3) ;; *) out "**can't be compared**: \`$(shown "$new")\`; the log of this step says why" ;; esac
  note "$status"
}

gbt=$(program) || fail 2 "no gbt: put it on the path or give its place in the input gbt; to build it, set up Go and fill its module cache first"
from=$(base) || fail 2 "commit '${BASE:-HEAD^}' is not in this checkout: check out with fetch-depth: 0"
sarif=${SARIF:-gbt-sarif}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$sarif"
keys=() patterns=()
while IFS= read -r -d '' key; do keys+=(--trust "$key"); done < <(lines "${TRUST:-}")
while IFS= read -r -d '' pattern; do patterns+=("$pattern"); done < <(lines "${POLICIES:-*.gbt}")

git diff --name-status -z --find-renames "$from" HEAD -- "${patterns[@]}" >"$work/changed"
while IFS= read -r -d '' status; do
  IFS= read -r -d '' first
  case $status in
    R*) IFS= read -r -d '' second; compare "$first" "$second" ;;
    C*) IFS= read -r -d '' second; compare "" "$second" ;;
    A) compare "" "$first" ;;
    D) compare "$first" "" ;;
    *) compare "$first" "$first" ;;
  esac
done <"$work/changed"
[ -s "$work/changed" ] || out "no policy changed"

printf 'weaker=%s\nsarif=%s\n' "$weaker" "$sarif" >>"${GITHUB_OUTPUT:-/dev/null}"
if [ "$worst" -gt 0 ]; then
  exit "$worst"
fi
case ${FAIL_ON:-weaker} in
  weaker) if $weaker; then exit 3; fi ;;
  different) if $weaker; then exit 3; elif $different; then exit 1; fi ;;
  never) ;;
  *) fail 2 "fail-on is '${FAIL_ON}': give weaker, different or never" ;;
esac
