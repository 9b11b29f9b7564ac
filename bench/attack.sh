#!/usr/bin/env bash
# plait attack against wrk -t1: requests/s of the closed model on one core, with the same server of ASP.NET Core on another,
# in turn (A B B A), as the median of the ratios of pairs. Fails when it is below 0.85. ROUNDS=5 SECONDS_EACH=3 CONNECTIONS=64
set -euo pipefail
cd "$(dirname "$0")/.."
command -v wrk > /dev/null || { echo "wrk is not installed: nothing was measured"; exit 2; }
command -v taskset > /dev/null || { echo "taskset is missing: processes cannot be bound to cores, nothing was measured"; exit 2; }
rounds=${ROUNDS:-5} seconds=${SECONDS_EACH:-3} connections=${CONNECTIONS:-64} port=${PORT:-18099}
url=http://127.0.0.1:$port/

dotnet build src/Plait.Tool -c Release -v q --nologo -nodeReuse:false
dotnet build bench/attack/Null.cs -c Release -o artifacts/bench-null -v q --nologo
taskset -c 0 dotnet artifacts/bench-null/Null.dll "$port" &
server=$!
trap 'kill $server' EXIT
until (echo > "/dev/tcp/127.0.0.1/$port") 2> /dev/null; do sleep 0.2; done

wrk_once() { taskset -c 1 wrk -t1 "-c$connections" "-d${seconds}s" "$url" | awk '/Requests\/sec/ { print $2 }'; }
ours_once() {
  taskset -c 1 dotnet artifacts/bin/Plait.Tool/release/plait.dll attack "$url" --connections "$connections" \
    --duration "${seconds}s" --warm-up 1s --no-calibration --report json 2> /dev/null |
    awk -F '[:,]' '/"rightPerSecond"/ { print $2 + 0; exit }' || true
}

wrk_once > /dev/null
ours_once > /dev/null
ratios=()
pair() { # ours wrk
  ratios+=("$(awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }')")
  echo "plait attack $1/s, wrk $2/s: ${ratios[-1]}"
}
for _ in $(seq "$rounds"); do
  a=$(ours_once) b=$(wrk_once); pair "$a" "$b"
  b=$(wrk_once) a=$(ours_once); pair "$a" "$b"
done
printf '%s\n' "${ratios[@]}" | sort -n | awk '
  { ratio[NR] = $1 }
  END {
    median = NR % 2 ? ratio[(NR + 1) / 2] : (ratio[NR / 2] + ratio[NR / 2 + 1]) / 2
    printf "median of %d pairs: %.3f of wrk -t1 (goal: 0.85), from %.3f to %.3f\n", NR, median, ratio[1], ratio[NR]
    exit median < 0.85
  }'
