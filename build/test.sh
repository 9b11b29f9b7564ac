#!/usr/bin/env bash
# Runs every test project in the configurations it is meant for and ends with one line for all of them together.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=artifacts/test-logs
mkdir -p "$logs"
# what is started in the background of a shell ignores Ctrl-C, and tests send it
signals=
env --default-signal=INT true 2>/dev/null && signals='env --default-signal=INT'
passed=0 failed=0 skipped=0 broken=0

run() { # configuration project [options of the test program]
  local config=$1 project=$2 dll="artifacts/bin/$2/$1/$2.dll" log="$logs/$2-$1.log"
  shift 2
  printf '%-26s %-12s ' "$project" "$config"
  if [ ! -f "$dll" ]; then
    echo "not built: $dll"
    broken=1
    return
  fi
  $signals dotnet "$dll" --no-progress "$@" >"$log" 2>&1
  local code=$? p f s
  p=$(sed -n 's/^ *succeeded: \([0-9]*\).*/\1/p' "$log" | tail -1)
  f=$(sed -n 's/^ *failed: \([0-9]*\).*/\1/p' "$log" | tail -1)
  s=$(sed -n 's/^ *skipped: \([0-9]*\).*/\1/p' "$log" | tail -1)
  echo "${p:-0} passed, ${f:-0} failed, ${s:-0} skipped"
  passed=$((passed + ${p:-0})) failed=$((failed + ${f:-0})) skipped=$((skipped + ${s:-0}))
  if [ "$code" -ne 0 ]; then
    # a run that died has no summary; one that failed has its reasons
    [ -n "$f" ] && [ "$f" -gt 0 ] || { broken=1; echo "exit code $code"; }
    grep '^failed ' "$log"
    grep -v '^ *at ' "$log" | tail -n 120
  fi
  grep -A 1 '^skipped ' "$log" | sed 's/^/    /' | head -20
}

budget() { # file: bytes are counted and judged, nothing is timed
  local log="$logs/$(basename "$1" .json).log"
  printf '%-26s %-12s ' "$(basename "$1")" release
  if dotnet artifacts/bin/Plait.Tool/release/plait.dll lab check "$1" >"$log" 2>&1; then
    passed=$((passed + 1))
    echo "1 passed, 0 failed, 0 skipped"
  else
    failed=$((failed + 1))
    echo "0 passed, 1 failed, 0 skipped"
    cat "$log"
  fi
}

build() { dotnet build Plait.slnx -c "$1" -v q --nologo -nodeReuse:false || exit 1; }

for project in Plait.Tests Plait.Tests.CSharp Plait.Explorer Plait.Allocation.Tests Plait.Repository.Tests Plait.Lab.Tests Plait.Page.Tests; do
  run release "$project"
done
budget bench/bytes.budget.json
build Debug
for project in Plait.Tests Plait.Tests.CSharp; do run debug "$project"; done
# tests of programs alone drive the Release builds of them, which has been done
run debug Plait.Lab.Tests --filter-not-trait of=processes
build DebugInline
for project in Plait.Tests Plait.Tests.CSharp; do run debuginline "$project"; done

[ "$broken" -eq 0 ] || failed=$((failed + 1))
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
