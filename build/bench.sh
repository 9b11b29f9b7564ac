#!/usr/bin/env bash
# Renews the committed reports: kernels.md, locks.md, streams.md and breadth.md, every builder, lock, stream and function in turn on one core,
# with the goals; builders.md, every row in a process of its own (BenchmarkDotNet); service-compile-time.md. With a goal missed it still
# writes all, and fails; with a control failed it writes neither that report nor those behind it.
set -euo pipefail
cd "$(dirname "$0")/.."
dotnet build bench/Plait.Benchmarks -c Release -v q --nologo -nodeReuse:false
dotnet build bench/Plait.Locks.Benchmarks -c Release -v q --nologo -nodeReuse:false
dotnet build bench/Plait.Streams.Benchmarks -c Release -v q --nologo -nodeReuse:false
dotnet build bench/Plait.Breadth.Benchmarks -c Release -v q --nologo -nodeReuse:false
bench=artifacts/bin/Plait.Benchmarks/release/Plait.Benchmarks.dll
pin=()
command -v taskset > /dev/null && pin=(taskset -c 0)
# methods are compiled anew as soon as they have been called thirty times: the rows are short, and all in one process
code=0
DOTNET_TC_CallCountingDelayMs=0 "${pin[@]}" dotnet "$bench" turns "${ROUNDS:-15}" bench/results/kernels.md || code=$?
[ "$code" -le 1 ] || exit "$code"
locks=artifacts/bin/Plait.Locks.Benchmarks/release/Plait.Locks.Benchmarks.dll
other=0
DOTNET_TC_CallCountingDelayMs=0 "${pin[@]}" dotnet "$locks" turns "${ROUNDS:-15}" bench/results/locks.md || other=$?
[ "$other" -le 1 ] || exit "$other"
streams=artifacts/bin/Plait.Streams.Benchmarks/release/Plait.Streams.Benchmarks.dll
third=0
DOTNET_TC_CallCountingDelayMs=0 "${pin[@]}" dotnet "$streams" turns "${ROUNDS:-15}" bench/results/streams.md || third=$?
[ "$third" -le 1 ] || exit "$third"
breadth=artifacts/bin/Plait.Breadth.Benchmarks/release/Plait.Breadth.Benchmarks.dll
fourth=0
DOTNET_TC_CallCountingDelayMs=0 "${pin[@]}" dotnet "$breadth" turns "${ROUNDS:-15}" bench/results/breadth.md || fourth=$?
[ "$fourth" -le 1 ] || exit "$fourth"
dotnet "$bench" published bench/results/builders.md
fifth=0
bench/service-compile-time.sh || fifth=$?
[ "$fifth" -le 1 ] || exit "$fifth"
exit $((code | other | third | fourth | fifth))
