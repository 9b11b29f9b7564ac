#!/usr/bin/env bash
# plait attack against wrk -t1: requests/s of the closed model, in turn, as the median of the ratios of pairs. Fails when it is
# below 0.99, and ends with 3 when the control of turns.sh does not hold. CONNECTIONS=64, and the variables of turns.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
source bench/turns.sh
connections=${CONNECTIONS:-64}
need wrk "apt-get install wrk"
need taskset "apt-get install util-linux"

ours_once() { ours --connections "$connections"; }
theirs_once() { taskset -c 1 wrk -t1 "-c$connections" "-d${seconds}s" "$url" | awk '/Requests\/sec/ { print $2 }'; }
serve
turns "wrk -t1" 0.99
