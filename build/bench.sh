#!/usr/bin/env bash
# Measures the kernels on one core and renews the committed report.
set -euo pipefail
cd "$(dirname "$0")/.."
dotnet build bench/Plait.Benchmarks -c Release -v q --nologo -nodeReuse:false
pin=()
command -v taskset > /dev/null && pin=(taskset -c 0)
"${pin[@]}" dotnet artifacts/bin/Plait.Benchmarks/release/Plait.Benchmarks.dll "${ROUNDS:-15}" bench/results/kernels.md
