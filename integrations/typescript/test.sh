#!/usr/bin/env bash
# Types and tests of the TypeScript client, against the real server. Needs Go and Node 20, and a package index for the first run.
# Set GBT to a built program to save building it.
set -euo pipefail
cd "$(dirname "$0")"
cmp -s package-lock.json node_modules/.made-from || { npm ci --silent --no-audit --no-fund && cp package-lock.json node_modules/.made-from; }
npx --no-install tsc --noEmit
rm -rf out
npm test --silent
