#!/usr/bin/env bash
# build/fsharp11/test.sh [runtime-async] [library] [language]: the tests that need .NET 11; without an argument all of them. `runtime-async`: the
# tests of Plait.RuntimeAsync, its package used from fresh projects, and the doctor on programs that run there. `library`: the library's
# own test programs, which are built for .NET 10, on the runtime 11. `language`: those compiled by F# 11. If .NET 11 cannot be made, it
# prints that and ends with 0.
set -uo pipefail
cd "$(dirname "$0")/../.."
parts=("$@")
[ $# -gt 0 ] || parts=(runtime-async library language)
for part in "${parts[@]}"; do
  case $part in
    runtime-async | library | language) ;;
    *) echo "build/fsharp11/test.sh takes runtime-async, library or language, not '$part'" >&2; exit 2 ;;
  esac
done
made=0
build/fsharp11/make.sh || made=$?
[ "$made" -ne 3 ] || exit 0
[ "$made" -eq 0 ] || exit "$made"
dotnet11=$PWD/artifacts/dotnet11/root/dotnet
logs=artifacts/test-logs/dotnet11
mkdir -p "$logs"
failed=0
# A command whose processor time is in $cpu afterwards. That of a build would be wrong: it leaves out the processes that MSBuild starts.
# In a subshell: the time of a shell includes every background job that ends meanwhile, such as the tests of the doctor. The last
# line has the time: a program that dies by a signal has a line before it.
used() { # command
  local code=0 TIMEFORMAT='%U %S' times=$logs/$BASHPID.cpu
  (time "$@" 2>&3) 3>&2 2>"$times" || code=$?
  cpu=$(awk 'END { printf "%.0f s of processor", $1 + $2 }' "$times")
  return "$code"
}

build() { # project options...
  # shellcheck disable=SC2086
  env ${COMPILER_RUNTIME:-} dotnet build -v q --nologo -nodeReuse:false "$1" -c "${configuration:-Release}" "${@:2}" || exit
}

check() { # script of this folder
  used "build/fsharp11/$1" || failed=1
  printf '%-38s %s\n' "$1" "$cpu"
}

together() { # projects: in one build, each shared project once
  build build/Together.proj -p:Of=part -p:TestsOf=dotnet11 -p:Tests="$(printf '%%3B../%s' "$@")"
}

run_by() { # dotnet name dll options...: one line
  local name=$2 dll=$3 log=$logs/${2// /-}.log code=0
  [ -f "$dll" ] || { echo "$name: not built, run make build"; failed=1; return; }
  used "$1" "$dll" --no-progress "${@:4}" >"$log" 2>&1 || code=$?
  printf '%-38s %s %s\n' "$name" "$cpu" "$(sed -n 's/^ *\(succeeded\|failed\|skipped\): \([0-9]*\).*/\2 \1/p' "$log" | tr '\n' ' ')"
  [ "$code" -eq 0 ] || { failed=1; grep '^failed ' "$log"; tail -n 60 "$log"; }
}

# programs of .NET 10 run on the only runtime that this dotnet has
run() { # name dll options...
  DOTNET_ROLL_FORWARD=LatestMajor DOTNET_ROLL_FORWARD_TO_PRERELEASE=1 run_by "$dotnet11" "$@"
}

runtime_async() {
  # The doctor runs on .NET 10, and its programs on .NET 11. Debug has lines that Release has not.
  together {tests/Plait.RuntimeAsync.Tests/Plait.RuntimeAsync.Tests,tests/Plait.RuntimeAsync.Doctor.Tests/Plait.RuntimeAsync.Doctor.Tests}.fsproj \
    samples/sick/{fsharp/Plait.Samples.Sick.fsproj,csharp/Plait.Samples.Sick.CSharp.csproj} \
    samples/sick/{fsharp11/Plait.Samples.Sick.FSharp11.fsproj,csharp11/Plait.Samples.Sick.CSharp11.csproj}
  configuration=Debug together tests/Plait.RuntimeAsync.Tests/Plait.RuntimeAsync.Tests.fsproj samples/sick/fsharp11/Plait.Samples.Sick.FSharp11.fsproj
  # it mostly waits for its programs, beside the rest
  (run_by dotnet Plait.RuntimeAsync.Doctor.Tests artifacts/bin/Plait.RuntimeAsync.Doctor.Tests/release/Plait.RuntimeAsync.Doctor.Tests.dll; exit "$failed") &
  local doctor=$!
  local tests=artifacts/bin/Plait.RuntimeAsync.Tests
  # the tests that depend on the JIT: not those of optimised IL, bytes, traces and the compiler
  local programs=(--filter-not-class Plait.RuntimeAsync.Tests.{Methods,Bytes+Bytes,ResultMethods,ResultMethods+Bytes,MovedService+Methods,Traces,Refused,Compiled,Library})
  run Plait.RuntimeAsync.Tests $tests/release/Plait.RuntimeAsync.Tests.dll
  # in the tiers of users' programs; the project is compiled without
  DOTNET_TieredCompilation=1 run "Plait.RuntimeAsync.Tests tiered" $tests/release/Plait.RuntimeAsync.Tests.dll "${programs[@]}"
  # without optimisation a body is a closure
  run "Plait.RuntimeAsync.Tests Debug" $tests/debug/Plait.RuntimeAsync.Tests.dll "${programs[@]}"
  check check-toolchain.sh
  check check-package.sh
  wait "$doctor" || failed=1
}

library() {
  # without the explorations: they are of a model, which every runtime runs alike
  local project projects=(Plait.Tests Plait.ThreadPool.Tests Plait.Tests.CSharp Plait.Allocation.Tests)
  # shellcheck disable=SC2046
  together $(for project in "${projects[@]}"; do echo tests/$project/$project.*proj; done)
  for project in "${projects[@]}"; do
    run $project artifacts/bin/$project/release/$project.dll
  done
  configuration=Others together tests/Plait.Allocation.Tests/Plait.Allocation.Tests.fsproj
  run "Plait.Allocation.Tests Others" artifacts/bin/Plait.Allocation.Tests/others/Plait.Allocation.Tests.dll --pre-enumerate-theories on --filter-trait over=builders
}

language() {
  # The library and its test programs by F# 11, in the finished version of the language: the tests of the compiler's code
  # of builders. The preview compiles one builder of each kernel, in Plait.RuntimeAsync.Tests.
  local to=$PWD/artifacts/dotnet11/language
  build tests/Plait.Tests -p:FSharp11Language=11.0 -p:ArtifactsPath="$to"
  run "Plait.Tests of F# 11.0" "$to/bin/Plait.Tests/release/Plait.Tests.dll" --pre-enumerate-theories on --filter-trait over=builders
}

for part in "${parts[@]}"; do
  "${part//-/_}"
done
exit "$failed"
