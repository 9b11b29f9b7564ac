#!/usr/bin/env bash
# Everything that needs .NET 11: the tests of Plait.RuntimeAsync, its package used from fresh projects, and the library's own test
# programs, which are built for .NET 10, on the runtime 11. Where .NET 11 cannot be made it says so and ends well.
set -uo pipefail
cd "$(dirname "$0")/../.."
made=0
build/fsharp11/make.sh || made=$?
[ "$made" -ne 3 ] || exit 0
[ "$made" -eq 0 ] || exit "$made"
dotnet11=$PWD/artifacts/dotnet11/root/dotnet
logs=artifacts/test-logs/dotnet11
rm -rf "$logs" && mkdir -p "$logs"
failed=0
build() { # project
  # shellcheck disable=SC2086
  env ${COMPILER_RUNTIME:-} dotnet build -v q --nologo -nodeReuse:false "$1" -c Release || exit
}

run() { # name dll arguments...: one line
  local name=$1 dll=$2 log=$logs/$1.log code=0
  shift 2
  [ -f "$dll" ] || { echo "$name: not built, run make build"; failed=1; return; }
  # programs of .NET 10 run on the only runtime that this dotnet has
  DOTNET_ROLL_FORWARD=Major DOTNET_ROLL_FORWARD_TO_PRERELEASE=1 "$dotnet11" "$dll" --no-progress "$@" >"$log" 2>&1 || code=$?
  printf '%-30s %s\n' "$name" "$(sed -n 's/^ *\(succeeded\|failed\|skipped\): \([0-9]*\).*/\2 \1/p' "$log" | tr '\n' ' ')"
  [ "$code" -eq 0 ] || { failed=1; grep '^failed ' "$log"; tail -n 60 "$log"; }
}

build tests/Plait.RuntimeAsync.Tests
run Plait.RuntimeAsync.Tests artifacts/bin/Plait.RuntimeAsync.Tests/release/Plait.RuntimeAsync.Tests.dll
build/fsharp11/check-toolchain.sh || failed=1
build/fsharp11/check-package.sh || failed=1

for project in Plait.Tests Plait.Tests.CSharp Plait.Allocation.Tests Plait.Explorer; do
  build tests/$project
  run $project artifacts/bin/$project/release/$project.dll
done
exit "$failed"
