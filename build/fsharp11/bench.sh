#!/usr/bin/env bash
# Measures runtime async on .NET 11 and renews bench/results/runtime-async.md: the interpreter in process and over HTTP, in LAUNCHES
# launches, and FizzBoom with waits of DELAY. Arguments go to `plait lab fizzbuzz`. A run whose control missed is written as such.
set -euo pipefail
cd "$(dirname "$0")/../.."
rows=strand-bare,strand-unsafe,strand,strand-guarded,runtime-task-func,runtime-value-task,runtime-task,csharp-runtime-task,pooled-value-task,csharp-value-task,task,async
build() {
  # shellcheck disable=SC2086
  env ${COMPILER_RUNTIME:-} dotnet build -v q --nologo -nodeReuse:false -c Release "$@"
}

build/fsharp11/make.sh
build build/Together.proj -p:Of=run
# the slow service of FizzBoom
build candidates/adapter/Upstream/Plait.Lab.CardService.fsproj
out=artifacts/lab/runtime-async
artifacts/bin/Plait.Tool/release/plait lab fizzbuzz --runtime 11 --only "$rows" --skip "${rows//,/+sync-fn,}+sync-fn" \
  --launches "${LAUNCHES:-8}" --fizzboom --delay "${DELAY:-250ms}" --out "$out" --warnings "$@"
node build/fsharp11/figures.mjs "$out/results.json"
cat bench/results/runtime-async.md
