# Sourced by the scripts beside it, with $here as this directory and the working directory
# as a scratch folder: builds gbt as ./gbt and serves the model; its address is in ./address.
# Whoever sources it closes descriptor 9 to end the server.
. "$here/venv.sh"
"$here/../gbt.sh" gbt
mkfifo in
"$venv/bin/python" "$here/model.py" <in >address 2>model.log 9>&- &
exec 9>in
for _ in $(seq 300); do [ -s address ] && break; sleep 0.2; done
[ -s address ] || { tail -20 model.log; exit 1; }
