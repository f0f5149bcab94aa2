# Sourced by the scripts beside it, which set $here: installs the agents beside them, or in
# $GBT_HOSTS, and says in $hosts where they are.
hosts=${GBT_HOSTS:-$here}
if [ ! -d "$hosts/node_modules" ]; then
  mkdir -p "$hosts"
  [ "$hosts" = "$here" ] || cp "$here/package.json" "$hosts/"
  (cd "$hosts" && npm install --no-audit --no-fund --no-package-lock --silent)
fi
