#!/usr/bin/env bash
# The cost of plait doctor for a busy server of ASP.NET Core, under plait attack: a closed model for throughput, with look after look all the
# time or none, and an open one for the longest stop, with one look in the middle or none; in turn (A B B A). Then the processor
# time of watching, and of being watched, while nothing is the matter: at its beginning, when the JIT is still at work in the doctor, and
# after WARM seconds. Fails when a request is lost, or when watching takes half a percent of a core by then.
# ROUNDS=2 SECONDS_EACH=5 CONNECTIONS=32 RATE=500 WATCHED=30 WARM=90
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${ROUNDS:-2} seconds=${SECONDS_EACH:-5} connections=${CONNECTIONS:-32} rate=${RATE:-500} watched=${WATCHED:-30} warm=${WARM:-90}
port=${PORT:-18097} url=http://127.0.0.1:${PORT:-18097}/
tool=artifacts/bin/Plait.Tool/release/plait
folder=$(mktemp -d)
children=()
end() {
  for child in "${children[@]}"; do kill "$child" 2> /dev/null || true; done
  rm -rf "$folder"
}
trap end EXIT

[ -x "$tool" ] || { echo "$tool is missing: build it first, with 'make tool'" >&2; exit 2; }
dotnet build bench/attack/Null.cs -c Release -o artifacts/bench-null -v q --nologo
dotnet artifacts/bench-null/Null.dll "$port" &
server=$!
children+=("$server")
until (echo > "/dev/tcp/127.0.0.1/$port") 2> /dev/null; do sleep 0.2; done

attack() { # file options: prints right per second, longest in ms, lost
  local file=$1
  shift
  "$tool" attack "$url" --duration "${seconds}s" --no-calibration --report none --json "$file" "$@" > /dev/null 2>&1 || true
  node -e '
    const { outcome } = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))
    const { right, ...lost } = outcome.results
    const sum = Object.values(lost).reduce((a, b) => a + b, 0)
    console.log((right / outcome.elapsedSeconds).toFixed(0), (outcome.intended.max / 1e6).toFixed(1), sum)' "$file"
}

look() { # a healthy server is exit code 0; the bench fails on whatever else the doctor says
  local code=0
  "$tool" doctor "$server" > "$folder/said" 2>&1 || code=$?
  [ "$code" -eq 0 ] || echo "plait doctor ended with exit code $code: $(head -n 1 "$folder/said")" >> "$folder/odd"
}

looks() { # until it is told to stop
  local count=0
  until [ -e "$folder/stop" ]; do
    look
    count=$((count + 1))
    echo "$count" > "$folder/looks"
  done
}

attack "$folder/warm.json" --connections "$connections" > /dev/null
look
: > "$folder/odd"
: > "$folder/figures"

quiet() { # model: A
  case $1 in
    closed) attack "$folder/run.json" --connections "$connections" ;;
    open) attack "$folder/run.json" --rate "$rate/s" --connections "$connections" ;;
  esac | sed "s/^/$1 A /" | tee -a "$folder/figures"
}

looked() { # model: B
  local doctor
  rm -f "$folder/stop"
  case $1 in
    closed)
      looks &
      doctor=$!
      attack "$folder/run.json" --connections "$connections"
      touch "$folder/stop"
      ;;
    open)
      (sleep "$(awk -v s="$seconds" 'BEGIN { print s / 3 }')" && look) &
      doctor=$!
      attack "$folder/run.json" --rate "$rate/s" --connections "$connections"
      ;;
  esac > "$folder/line"
  wait "$doctor"
  sed "s/^/$1 B /" "$folder/line" | tee -a "$folder/figures"
}

echo "model, A: no look, B: with looks; right/s, longest ms, lost"
for model in closed open; do
  for _ in $(seq "$rounds"); do
    quiet $model
    looked $model
    looked $model
    quiet $model
  done
done

failed=0
awk '
  { count[$1 $2]++; right[$1 $2] += $3; lost[$2] += $5; if ($4 > longest[$1 $2]) longest[$1 $2] = $4 }
  END {
    printf "throughput while it is looked at all the time: %.3f of that before and after (%.0f/s, %.0f/s)\n",
      (right["closedB"] / count["closedB"]) / (right["closedA"] / count["closedA"]),
      right["closedB"] / count["closedB"], right["closedA"] / count["closedA"]
    printf "longest response with one look: %.0f ms, without: %.0f ms\n", longest["openB"], longest["openA"]
    printf "requests lost: %d with looks, %d without\n", lost["B"], lost["A"]
    exit lost["B"] > 0
  }' "$folder/figures" || failed=1
[ ! -s "$folder/odd" ] || { sort "$folder/odd" | uniq -c; failed=1; }

ticks() { awk '{ sub(/.*\) /, ""); print $12 + $13 }' "/proc/$1/stat"; }

# the server answers a few requests meanwhile, as a service does that is watched
"$tool" attack "$url" --rate 50/s --duration "$((2 * watched + warm + 30))s" --no-calibration --report none > /dev/null 2>&1 &
load=$!
children+=("$load")
sleep 3
unwatched=$(ticks "$server")
sleep "$watched"
unwatched=$(($(ticks "$server") - unwatched))

"$tool" doctor "$server" --watch --for "$((warm + watched + 10))s" > "$folder/watch" 2>&1 &
watcher=$!
children+=("$watcher")
share() { # of a core, in percent
  awk -v ticks="$1" -v s="$watched" -v hz="$(getconf CLK_TCK)" 'BEGIN { printf "%.2f", 100 * ticks / hz / s }'
}
sleep 5
first=$(ticks "$watcher")
sleep "$watched"
first=$(share $(($(ticks "$watcher") - first)))
sleep $((warm > watched + 5 ? warm - watched - 5 : 0))
own=$(ticks "$watcher") of=$(ticks "$server")
sleep "$watched"
own=$(share $(($(ticks "$watcher") - own))) of=$(share $(($(ticks "$server") - of)))
wait "$watcher" || { echo "plait doctor --watch ended with exit code $?: $(tail -n 3 "$folder/watch")"; failed=1; }
kill "$load" 2> /dev/null || true
echo "watching takes $first % of a core in the ${watched} s after its start, $own % after $warm s (goal: below 0.5)"
echo "the server takes $of % while it is watched, $(share "$unwatched") % while not"
awk -v own="$own" 'BEGIN { exit own >= 0.5 }' || failed=1
exit "$failed"
