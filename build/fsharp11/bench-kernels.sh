#!/usr/bin/env bash
# Renews bench/results/runtime-async-kernels.md: the builders of Plait.RuntimeAsync beside those of Plait, FSharp.Core and C#, in turn
# on one core, on .NET 11, with the goals. With a goal missed it still writes the report, and fails; with a control failed it does not.
set -euo pipefail
cd "$(dirname "$0")/../.."
build/fsharp11/make.sh
env ${COMPILER_RUNTIME:-} dotnet build bench/Plait.RuntimeAsync.Benchmarks -c Release -v q --nologo -nodeReuse:false
pin=()
command -v taskset > /dev/null && pin=(taskset -c 0)
export DOTNET_TC_CallCountingDelayMs=0 DOTNET_ROLL_FORWARD=Major DOTNET_ROLL_FORWARD_TO_PRERELEASE=1
"${pin[@]}" artifacts/dotnet11/root/dotnet artifacts/bin/Plait.RuntimeAsync.Benchmarks/release/Plait.RuntimeAsync.Benchmarks.dll \
  turns "${ROUNDS:-15}" bench/results/runtime-async-kernels.md
