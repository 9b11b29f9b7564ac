#!/usr/bin/env bash
# plait attack against h2load over HTTP/2: requests/s of the closed model, in turn, as the median of the ratios of pairs. Fails
# when it is below 0.9, and ends with 3 when the control of turns.sh does not hold. CONNECTIONS=4 STREAMS=100, and the
# variables of turns.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
source bench/turns.sh
connections=${CONNECTIONS:-4} streams=${STREAMS:-100}
need h2load "apt-get install nghttp2-client"
need taskset "apt-get install util-linux"

ours_once() { ours --http2 --connections "$connections" --streams "$streams"; }
theirs_once() {
  taskset -c 1 h2load -c "$connections" -m "$streams" -D "$seconds" --warm-up-time=1 "$url" |
    awk '/^finished/ { print $4 + 0 }'
}
serve http2
turns h2load 0.9
