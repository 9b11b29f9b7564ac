#!/usr/bin/env bash
# Writes bench/results/service-compile-time.md: how long F# compiles the service of samples/service over each builder, beside the same
# service on FSharp.Core's `task` (bench/service). Processor time of the compiler, each service alone and with the same options, in turn
# (forwards, then backwards), less the time of an empty one. ROUNDS=5. Exit code 1: a goal is missed; 3, and no report: the control failed; 2: a
# step failed.
set -euo pipefail
cd "$(dirname "$0")/.."
project=tests/Plait.Tests
to=artifacts/service-compile-time
mkdir -p $to
dotnet build $project -c Release -v q --nologo -nodeReuse:false || exit 2
dotnet msbuild $project -t:Compile -p:Configuration=Release -p:BuildProjectReferences=false -p:ProvideCommandLineArgs=true \
  -p:SkipCompilerExecution=true -p:NonExistentFile=none -getItem:FscCommandLineArgs -getProperty:DotnetFscCompilerPath >$to/arguments.json || exit 2
root=$PWD
echo 'module Empty' >$to/Empty.fs
# shellcheck disable=SC2016
write='
  const { readFileSync } = require("fs"), { resolve } = require("path");
  const [, file, out, source] = process.argv;
  const said = JSON.parse(readFileSync(file, "utf8"));
  const all = said.Items.FscCommandLineArgs.map((item) => item.Identity);
  const options = all.filter((one) => one.startsWith("-") && !/^(-o:|--out:|--target:|--refout:|--doc:)/.test(one));
  console.log([...options, "--target:library", "-o:" + resolve(out), resolve(source)].join("\n"));'
compile() { # source: seconds of the processor
  node -e "$write" $to/arguments.json $to/out.dll "$1" >$to/arguments.rsp
  local TIMEFORMAT='%U %S' said
  said=$({ time (cd $project && dotnet exec "$compiler" "@$root/$to/arguments.rsp" >"$root/$to/compiler.log" 2>&1 || touch "$root/$to/failed"); } 2>&1)
  [ ! -e $to/failed ] || { cat $to/compiler.log >&2; rm $to/failed; exit 2; }
  awk '{ print $1 + $2 }' <<<"$said"
}
compiler=$(node -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).Properties.DotnetFscCompilerPath.replaceAll("\"", "")' $to/arguments.json)
copies=artifacts/obj/Plait.Tests/release
sources=($to/Empty.fs bench/service/Quotes.fs $copies/Quotes.Tasks.fs $copies/Quotes.Strands.fs samples/service/Quotes.fs)
compile ${sources[0]} >/dev/null
for _ in $(seq "${ROUNDS:-5}"); do
  line=()
  for ((at = 0; at < ${#sources[@]}; at++)); do line+=("$(compile "${sources[at]}")"); done
  for ((at = ${#sources[@]} - 1; at >= 0; at--)); do line+=("$(compile "${sources[at]}")"); done
  echo "${line[*]}"
done | tee $to/seconds
node bench/service-compile-time.mjs $to/seconds
