#!/usr/bin/env bash
# plait attack against h2load over HTTP/2: requests/s of the closed model on one core, with the same server of ASP.NET Core on
# another, in turn (A B B A), as the median of the ratios of pairs. Fails when it is below 0.75.
# ROUNDS=5 SECONDS_EACH=3 CONNECTIONS=4 STREAMS=100
set -euo pipefail
cd "$(dirname "$0")/.."
command -v h2load > /dev/null || { echo "h2load is not installed (apt-get install nghttp2-client): nothing was measured"; exit 2; }
command -v taskset > /dev/null || { echo "taskset is missing: processes cannot be bound to cores, nothing was measured"; exit 2; }
rounds=${ROUNDS:-5} seconds=${SECONDS_EACH:-3} connections=${CONNECTIONS:-4} streams=${STREAMS:-100} port=${PORT:-18098}
url=http://127.0.0.1:$port/

dotnet build src/Plait.Tool -c Release -v q --nologo -nodeReuse:false
dotnet build bench/attack/Null.cs -c Release -o artifacts/bench-null -v q --nologo
taskset -c 0 dotnet artifacts/bench-null/Null.dll "$port" http2 &
server=$!
trap 'kill $server' EXIT
until (echo > "/dev/tcp/127.0.0.1/$port") 2> /dev/null; do sleep 0.2; done

h2load_once() {
  taskset -c 1 h2load -c "$connections" -m "$streams" -D "$seconds" --warm-up-time=1 "$url" 2> /dev/null |
    awk '/^finished/ { print $4 + 0 }'
}
ours_once() {
  taskset -c 1 dotnet artifacts/bin/Plait.Tool/release/plait.dll attack "$url" --http2 --connections "$connections" \
    --streams "$streams" --duration "${seconds}s" --warm-up 1s --no-calibration --report json 2> /dev/null |
    awk -F '[:,]' '/"rightPerSecond"/ { print $2 + 0; exit }' || true
}

h2load_once > /dev/null
ours_once > /dev/null
ratios=()
pair() { # ours h2load
  ratios+=("$(awk -v a="$1" -v b="$2" 'BEGIN { printf "%.3f", a / b }')")
  echo "plait attack $1/s, h2load $2/s: ${ratios[-1]}"
}
for _ in $(seq "$rounds"); do
  a=$(ours_once) b=$(h2load_once); pair "$a" "$b"
  b=$(h2load_once) a=$(ours_once); pair "$a" "$b"
done
printf '%s\n' "${ratios[@]}" | sort -n | awk '
  { ratio[NR] = $1 }
  END {
    median = NR % 2 ? ratio[(NR + 1) / 2] : (ratio[NR / 2] + ratio[NR / 2 + 1]) / 2
    printf "median of %d pairs: %.3f of h2load (goal: 0.75), from %.3f to %.3f\n", NR, median, ratio[1], ratio[NR]
    exit median < 0.75
  }'
