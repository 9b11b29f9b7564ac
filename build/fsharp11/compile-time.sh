#!/usr/bin/env bash
# Renews bench/results/runtime-async-compile-time.md: how long F# 11 takes for the test programs with `task` of Plait.RuntimeAsync, over
# FSharp.Core's `task`. Processor time of the compiler for the same sources with another builder, in turn (A B B A), less its
# time for the base that both need. ROUNDS=4
set -euo pipefail
cd "$(dirname "$0")/../.."
build/fsharp11/make.sh
project=tests/Plait.RuntimeAsync.Tests
to=artifacts/compile-time
mkdir -p $to
dotnet build $project -c Release -v q --nologo -nodeReuse:false
dotnet msbuild $project -t:Compile -p:Configuration=Release -p:BuildProjectReferences=false -p:ProvideCommandLineArgs=true -p:SkipCompilerExecution=true -p:NonExistentFile=none \
  -getItem:FscCommandLineArgs >$to/arguments.json
root=$PWD
compiler=$(sed -n 's:.*<FSharp11Compiler>\(.*\)</FSharp11Compiler>.*:\1:p' artifacts/dotnet11/toolchain.props)
compile() { # copies...: seconds of the processor
  node -e '
    const [, file, root, project, out, ...copies] = process.argv;
    const all = JSON.parse(require("fs").readFileSync(file, "utf8")).Items.FscCommandLineArgs.map((item) => item.Identity);
    const path = require("path");
    const sources = all.filter((one) => !one.startsWith("-") && one.endsWith(".fs")).map((one) => path.resolve(root, project, one));
    const wanted = ["Given.fs", "Subject.fs", "Builders.fs", ...copies];
    const chosen = sources.filter((one) => /AssemblyInfo|AssemblyAttributes/.test(one) || wanted.includes(path.basename(one)));
    if (chosen.length < wanted.length) throw new Error("sources are missing: " + chosen.join(" "));
    const options = all.filter((one) => one.startsWith("-") && !/^(-o:|--out:|--target:|--refout:|--doc:)/.test(one));
    console.log([...options, "--target:library", "-o:" + path.resolve(root, out), ...chosen].join("\n"));' \
    $to/arguments.json "$root" $project $to/out.dll "$@" >$to/arguments.rsp
  local TIMEFORMAT='%U %S' said
  said=$({ time (cd $project && dotnet exec "$compiler" "@$root/$to/arguments.rsp" >"$root/$to/compiler.log" 2>&1 || touch "$root/$to/failed"); } 2>&1)
  [ ! -e $to/failed ] || { cat $to/compiler.log >&2; exit 1; }
  awk '{ print $1 + $2 }' <<<"$said"
}
rm -f $to/failed
of() { echo "Flow.$1.fs Recursion.$1.fs"; }
compile >/dev/null
for _ in $(seq "${ROUNDS:-4}"); do
  # shellcheck disable=SC2046
  echo "$(compile) $(compile $(of FSharpTasks)) $(compile $(of RuntimeTasks)) $(compile $(of RuntimeTasks)) $(compile $(of FSharpTasks)) $(compile)"
done | tee $to/seconds
node build/fsharp11/compile-time.mjs $to/seconds
