#!/usr/bin/env bash
# Uses the packed library as a user would: a fresh F# project, warnings as errors, Debug and Release. Computations must be
# state machines in both, and closures in Debug with the opt-out.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=artifacts/package-check
rm -rf "$work" && mkdir -p "$work"
cp global.json "$work/"
printf '<Project />\n' | tee "$work/Directory.Build.props" "$work/Directory.Build.targets" "$work/Directory.Packages.props" > /dev/null
version=$(sed -n 's:.*<Version>\(.*\)</Version>.*:\1:p' Directory.Build.props)
cat > "$work/User.fsproj" <<PROJECT
<Project Sdk="Microsoft.NET.Sdk">
  <PropertyGroup>
    <OutputType>Exe</OutputType>
    <TargetFramework>net10.0</TargetFramework>
    <Nullable>enable</Nullable>
    <TreatWarningsAsErrors>true</TreatWarningsAsErrors>
    <RestorePackagesPath>$root/$work/packages</RestorePackagesPath>
    <RestoreAdditionalProjectSources>$root/artifacts/package/release</RestoreAdditionalProjectSources>
    <NuGetAudit>false</NuGetAudit>
  </PropertyGroup>
  <ItemGroup>
    <Compile Include="Program.fs" />
    <PackageReference Include="Plait" Version="$version" />
  </ItemGroup>
</Project>
PROJECT
cat > "$work/Program.fs" <<'PROGRAM'
open System
open System.Reflection
open System.Runtime.CompilerServices
open System.Threading.Tasks
open Plait

let pooled (x: int) =
    pooledValueTask {
        do! Task.Yield()
        return x + 1
    }

let light (x: int) =
    strand {
        let! y = pooled x
        return y + 1
    }

let machines =
    Assembly.GetExecutingAssembly().GetTypes()
    |> Array.filter (fun t -> t.IsValueType && typeof<IAsyncStateMachine>.IsAssignableFrom t)

printfn "%d %s" ((light 40).AsTask().Result) (if machines.Length > 0 then "static" else "dynamic")
PROGRAM
expect() { # words arguments...
  local wanted=$1 seen
  shift
  seen=$(dotnet run --project "$work/User.fsproj" "$@")
  if [ "$seen" != "$wanted" ]; then
    echo "package check: '$*' printed '$seen' where '$wanted' was expected"
    exit 1
  fi
  echo "package check: $* -> $seen"
}
expect "42 static" -c Release
expect "42 static" -c Debug
rm -rf "$work/obj/Debug" # a change of compiler options alone does not rebuild
expect "42 dynamic" -c Debug -p:PlaitStaticDebug=false
