#!/bin/sh
# venv.sh DIR ARG... makes the virtual environment DIR anew and installs what the arguments name to pip (-r FILE, a
# package), unless it was made so before. uv does it, which takes two seconds of processor time where pip takes half a
# minute; pip where uv cannot be had, or fails: some settings of pip are none of uv's. uv is installed beside this file.
# PYTHON names the interpreter. What the packages named need is taken as it was on the day that the file as-of holds, as
# npm.sh does; by uv alone, for that takes an index that says when files came.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
as_of=$(cat "$here/as-of")
python=${PYTHON:-python3}
venv=$1
shift
made=$("$python" --version && echo "$as_of" && for arg; do if [ -f "$arg" ]; then cat "$arg"; else printf '%s\n' "$arg"; fi; done)
[ ! -e "$venv/installed" ] || [ "$(cat "$venv/installed")" != "$made" ] || exit 0
uv=$here/.venv-uv/bin/uv
wanted=0.13.9
case $("$uv" --version 2>/dev/null) in
"uv $wanted"*) ;;
*)
	{ "$python" -m venv --clear "$here/.venv-uv" && "$here/.venv-uv/bin/pip" install --quiet --disable-pip-version-check "uv==$wanted"; } ||
		echo "venv.sh: no uv, pip installs" >&2
	;;
esac
export UV_NATIVE_TLS=1 UV_PYTHON_DOWNLOADS=never UV_EXCLUDE_NEWER="$as_of"
[ -z "${PIP_INDEX_URL:-}" ] || export UV_DEFAULT_INDEX="$PIP_INDEX_URL"
[ -z "${PIP_FIND_LINKS:-}" ] || export UV_FIND_LINKS="$PIP_FIND_LINKS"
if ! { [ -x "$uv" ] && "$uv" venv --quiet --clear --python "$python" "$venv" && "$uv" pip install --quiet --python "$venv/bin/python" "$@"; }; then
	"$python" -m venv --clear "$venv"
	"$venv/bin/python" -m pip install --quiet --disable-pip-version-check "$@"
fi
printf '%s\n' "$made" >"$venv/installed"
