#!/usr/bin/env bash
# Types and tests of the TypeScript client, against the real server. Needs Go and Node 20, and a package index for the first run.
# Set GBT to a built program to save building it. test.sh install installs the compiler and no more.
set -euo pipefail
cd "$(dirname "$0")"
cmp -s package-lock.json node_modules/.made-from || { npm ci --silent --no-audit --no-fund && cp package-lock.json node_modules/.made-from; }
[ "${1:-}" != install ] || exit 0
# The README's example has to compile as it stands there.
{
  echo 'declare const task: string, cwd: string, words: string, command: string, run: (command: string) => Promise<string>;'
  sed -n '/^```ts$/,/^```$/{/^```/d;p}' ../README.md | sed 's#"gbt-policy"#"../src/index.js"#'
  echo 'export { result };'
} >test/readme-example.ts
grep -q 'guard.run' test/readme-example.ts || { echo "no example in ../README.md"; exit 1; }
npx --no-install tsc --noEmit
rm -rf out
npm test --silent
