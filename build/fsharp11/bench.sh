#!/usr/bin/env bash
# Measures runtime async on .NET 11 and renews bench/results/runtime-async.md: the interpreter in process and over HTTP, in LAUNCHES
# launches, and FizzBoom with waits of DELAY in BOOMS rounds of 7 minutes, every second one in the opposite order. Arguments go to
# `plait lab fizzbuzz`. A run whose control missed is written as such.
set -euo pipefail
cd "$(dirname "$0")/../.."
rows=strand-bare,strand-unsafe,strand,strand-guarded,runtime-task-func,runtime-value-task,runtime-task,csharp-runtime-task,pooled-value-task,csharp-value-task,task,async
build() {
  # shellcheck disable=SC2086
  env ${COMPILER_RUNTIME:-} dotnet build -v q --nologo -nodeReuse:false -c Release "$@"
}

build/fsharp11/make.sh
# the rows that `make run` leaves out too
build build/Together.proj -p:Of=tool
# the slow service of FizzBoom
build candidates/adapter/Upstream/Plait.Lab.CardService.fsproj
out=artifacts/lab/runtime-async
lab() {
  artifacts/bin/Plait.Tool/release/plait lab fizzbuzz --runtime 11 --warnings "$@"
}

lab --only "$rows" --skip "${rows//,/+sync-fn,}+sync-fn" --launches "${LAUNCHES:-8}" --out "$out" "$@"

waiting=(strand-unsafe strand runtime-task-func runtime-value-task runtime-task csharp-runtime-task pooled-value-task csharp-value-task task)
booms=()
for ((round = 1; round <= ${BOOMS:-10}; round++)); do
  order=$(IFS=,; echo "${waiting[*]}")
  lab --only "$order" --fizzboom --no-http --no-in-process --delay "${DELAY:-250ms}" --out "$out-boom-$round"
  booms+=("$out-boom-$round/results.json")
  mapfile -t waiting < <(printf '%s\n' "${waiting[@]}" | tac)
done

node build/fsharp11/figures.mjs "$out/results.json" "${booms[@]}"
cat bench/results/runtime-async.md
