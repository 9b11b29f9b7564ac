#!/usr/bin/env bash
# Renews the reports of bench/results: kernels.md, locks.md, streams.md and breadth.md, every builder, lock, stream and function in turn on one core,
# with the goals; builders.md, every row in a process of its own (BenchmarkDotNet). With a goal missed it still
# writes all, and fails; with a control failed it writes neither that report nor those behind it.
set -euo pipefail
cd "$(dirname "$0")/.."
benchmarks=(Plait.Benchmarks Plait.Locks.Benchmarks Plait.Streams.Benchmarks Plait.Breadth.Benchmarks)
for project in "${benchmarks[@]}"; do dotnet build "bench/$project" -c Release -v q --nologo -nodeReuse:false; done
pin=()
command -v taskset > /dev/null && pin=(taskset -c 0)
code=0
# exit code 1: a goal is missed, and the report is written
renew() { # command
  local ended=0
  "$@" || ended=$?
  [ "$ended" -le 1 ] || exit "$ended"
  code=$((code | ended))
}
# methods are compiled anew as soon as they have been called thirty times: the rows are short, and all in one process
turns() { # project report
  renew env DOTNET_TC_CallCountingDelayMs=0 "${pin[@]}" dotnet "artifacts/bin/$1/release/$1.dll" turns "${ROUNDS:-15}" "bench/results/$2"
}
turns Plait.Benchmarks kernels.md
turns Plait.Locks.Benchmarks locks.md
turns Plait.Streams.Benchmarks streams.md
turns Plait.Breadth.Benchmarks breadth.md
dotnet artifacts/bin/Plait.Benchmarks/release/Plait.Benchmarks.dll published bench/results/builders.md
exit "$code"
