#!/usr/bin/env bash
# bench/attack-before.sh COMMIT: plait attack against plait attack of an earlier commit, in turn, as the medians of the ratios of
# pairs. Requests/s of the closed model over CONNECTIONS=64, and its CPU time a request, which fail below 0.97; and the 99th
# percentile of own lag at RATE=20000 requests a second over connections that are opened as they are needed, which fails below 0.8.
# Ends with 1 if one fails, else with 3 if the control of one does not hold. Takes the variables of turns.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
source bench/turns.sh
commit=$(git rev-parse --verify --quiet "${1:-}^{commit}") ||
  { echo "bench/attack-before.sh takes the commit to compare with, not '${1:-}'"; exit 2; }
connections=${CONNECTIONS:-64} rate=${RATE:-20000}
need taskset "apt-get install util-linux"
need node "nodejs.org"

# its tool, built from its own sources
tree=artifacts/bench-before/$commit
if [ ! -f "$tree/built" ]; then
  rm -rf "$tree" && mkdir -p "$tree"
  git archive "$commit" | tar -x -C "$tree"
  # earlier commits have lock files, whose hashes hold on some machines only: docs/decisions/0076-no-lock-files.md
  find "$tree" -name packages.lock.json -delete
  (cd "$tree" && CI= dotnet build src/Plait.Tool -c Release -v q --nologo -nodeReuse:false)
  touch "$tree/built"
fi

serve
before() { plait=$tree/artifacts/bin/Plait.Tool/release/plait.dll "$@"; }
code=0
judge() { # the arguments of turns
  local result=0
  turns "$@" || result=$?
  if [ "$result" = 1 ] || [ "$code" = 0 ]; then code=$result; fi
}

echo "requests/s of the closed model, $connections connections"
ours_once() { ours --connections "$connections"; }
theirs_once() { before ours --connections "$connections"; }
judge "${commit:0:7}" 0.97

echo "CPU time a request of the closed model, $connections connections"
ours_once() { cpu --connections "$connections"; }
theirs_once() { before cpu --connections "$connections"; }
judge "${commit:0:7}" 0.97 " us" less

echo "own lag at the 99th percentile, $rate/s"
lag() {
  attack --rate "$rate/s" |
    node -pe '(JSON.parse(require("fs").readFileSync(0)).outcome.ownLag.percentiles.find(x => x[0] == 99)[1] / 1000).toFixed(1)'
}
ours_once() { lag; }
theirs_once() { before lag; }
judge "${commit:0:7}" 0.8 " us" less
exit "$code"
