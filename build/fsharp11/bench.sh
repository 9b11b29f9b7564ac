#!/usr/bin/env bash
# build/fsharp11/bench.sh [kernels] [fizzbuzz] [fizzboom] [compile-time]: measures runtime async on .NET 11 and renews its reports in
# bench/results, without an argument all four. `fizzbuzz`: the interpreter of the lab in process and over HTTP, in LAUNCHES launches:
# runtime-async.md. `fizzboom`: the same with waits of DELAY, in BOOMS rounds of BUDGET and half a minute, for ROWS:
# runtime-async-fizzboom.md. A run whose control missed is written as such.
set -euo pipefail
cd "$(dirname "$0")/../.."
parts=("$@")
[ $# -gt 0 ] || parts=(kernels fizzbuzz fizzboom compile-time)
for part in "${parts[@]}"; do
  case $part in
    kernels | fizzbuzz | fizzboom | compile-time) ;;
    *) echo "build/fsharp11/bench.sh takes kernels, fizzbuzz, fizzboom or compile-time, not '$part'" >&2; exit 2 ;;
  esac
done
build() {
  # shellcheck disable=SC2086
  env ${COMPILER_RUNTIME:-} dotnet build -v q --nologo -nodeReuse:false -c Release "$@"
}

out=artifacts/lab/runtime-async
lab() {
  artifacts/bin/Plait.Tool/release/plait lab fizzbuzz --runtime 11 --warnings "$@"
}

programs() {
  build/fsharp11/make.sh
  # the rows that `make run` leaves out too
  build build/Together.proj -p:Of=tool
}

kernels() {
  # 1: a goal is missed, and the report says which
  build/fsharp11/bench-kernels.sh || [ $? -le 1 ]
}

compile_time() {
  build/fsharp11/compile-time.sh
}

fizzbuzz() {
  local rows=strand-bare,strand-unsafe,strand,strand-guarded,runtime-task-func,runtime-value-task,runtime-task,csharp-runtime-task,pooled-value-task,csharp-value-task,task,async
  programs
  lab --only "$rows" --skip "${rows//,/+sync-fn,}+sync-fn" --launches "${LAUNCHES:-8}" --out "$out"
  node build/fsharp11/figures.mjs "$out/results.json"
  cat bench/results/runtime-async.md
}

fizzboom() {
  local round rounds=()
  programs
  # the slow service
  build candidates/adapter/Upstream/Plait.Lab.CardService.fsproj
  for ((round = 1; round <= ${BOOMS:-8}; round++)); do
    lab --only "${ROWS:-strand-unsafe,strand,runtime-task-func,runtime-task,csharp-runtime-task,task}" --fizzboom --no-http --no-in-process \
      --delay "${DELAY:-100ms}" --budget "${BUDGET:-150s}" --out "$out-boom-$round"
    rounds+=("$out-boom-$round/results.json")
  done
  node build/fsharp11/fizzboom.mjs "${rounds[@]}"
  cat bench/results/runtime-async-fizzboom.md
}

for part in "${parts[@]}"; do
  "${part//-/_}"
done
