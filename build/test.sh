#!/usr/bin/env bash
# Runs every test program in the configurations it is meant for, which are built, and ends with one line for all of them
# together. Three run at a time, because many of them wait.
set -uo pipefail
cd "$(dirname "$0")/.."
logs=artifacts/test-logs
rm -rf "$logs" && mkdir -p "$logs"
# where three programs share the cores, threads of the pool that spin while they wait take them from those that work
export DOTNET_ThreadPool_UnfairSemaphoreSpinLimit=0
# what is started in the background of a shell ignores Ctrl-C, and tests send it
signals=
env --default-signal=INT true 2>/dev/null && signals='env --default-signal=INT'

report() { # name configuration log passed failed skipped seconds: one line, and what the total is made of
  printf '%-26s %-12s %5d passed, %d failed, %d skipped %5d s\n' "$1" "$2" "$4" "$5" "$6" "$7"
  echo "$4 $5 $6" >"$3.count"
}

run() { # project configuration
  local project=$1 config=$2 dll="artifacts/bin/$1/$2/$1.dll" log="$logs/$1-$2.log" began=$SECONDS code=0 runtime= p f s
  # its tests are compilations
  [ "$project" != Plait.Repository.Tests ] || runtime="env ${COMPILER_RUNTIME:-}"
  if [ -f "$dll" ]; then
    $signals $runtime dotnet "$dll" --no-progress >"$log" 2>&1 || code=$?
  else
    echo "not built: $dll" >"$log"
    code=1
  fi
  p=$(sed -n 's/^ *succeeded: \([0-9]*\).*/\1/p' "$log" | tail -1)
  f=$(sed -n 's/^ *failed: \([0-9]*\).*/\1/p' "$log" | tail -1)
  s=$(sed -n 's/^ *skipped: \([0-9]*\).*/\1/p' "$log" | tail -1)
  # a run that died has no summary; one that failed has its reasons
  [ "$code" -eq 0 ] || [ "${f:-0}" -gt 0 ] || f=1
  {
    report "$project" "$config" "$log" "${p:-0}" "${f:-0}" "${s:-0}" $((SECONDS - began))
    if [ "$code" -ne 0 ]; then
      echo "exit code $code"
      grep '^failed ' "$log"
      grep -v '^ *at ' "$log" | tail -n 120
    fi
    grep -A 1 '^skipped ' "$log" | sed 's/^/    /' | head -20
  } >"$log.said"
  cat "$log.said"
}

check() { # name command: passes or fails as a whole
  local name=$1 log="$logs/$1.log" began=$SECONDS failed=0
  shift
  "$@" >"$log" 2>&1 || failed=1
  {
    report "$name" release "$log" $((1 - failed)) $failed 0 $((SECONDS - began))
    [ "$failed" -eq 0 ] || cat "$log"
  } >"$log.said"
  cat "$log.said"
}

# the longest first
while read -r job; do
  [ "$(jobs -rp | wc -l)" -lt 3 ] || wait -n
  $job </dev/null &
done <<'END'
run Plait.Repository.Tests release
run Plait.Tests release
run Plait.Lab.Tests release
run Plait.Check.Tests release
run Plait.Tests debug
run Plait.Page.Tests release
run Plait.Tests debuginline
check trim build/check-trim.sh
run Plait.Tests.CSharp release
run Plait.Tests.CSharp debug
run Plait.Tests.CSharp debuginline
run Plait.Explorer release
run Plait.Allocation.Tests release
check sources dotnet artifacts/bin/Plait.Tool/release/plait.dll check src/Plait src/Plait.Check src/Plait.Doctor src/Plait.Lab src/Plait.Load src/Plait.Report src/Plait.Tool --framework net10.0
check bytes dotnet artifacts/bin/Plait.Tool/release/plait.dll lab check bench/bytes.budget.json
END
wait
# looks at live processes, and so has the machine to itself
run Plait.Doctor.Tests release

read -r passed failed skipped < <(awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }' "$logs"/*.count)
# what failed once more, where who reads the end of a long log finds it
for count in "$logs"/*.count; do
  [ "$(cut -d ' ' -f 2 "$count")" -eq 0 ] || { sed '/^    skipped/,$d' "${count%.count}.said" | tail -n 60; }
done
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
