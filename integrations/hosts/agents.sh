# Sourced by the scripts beside it, which set $here: installs the agents beside them, or in
# $GBT_HOSTS, and says in $hosts where they are.
hosts=${GBT_HOSTS:-$here}
"$here/../npm.sh" "$hosts" "$here/package.json"
