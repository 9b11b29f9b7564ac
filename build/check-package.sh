#!/usr/bin/env bash
# Uses the packed library as a user would: a fresh F# and a fresh C# project, warnings as errors, Debug and Release.
# Computations must be state machines in both, and closures in Debug with the opt-out.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=artifacts/package-check
package=artifacts/package/release
feed=$package
version=$(sed -n 's:.*<Version>\(.*\)</Version>.*:\1:p' Directory.Build.props)
. build/user/projects.sh
fresh "$work"

fail() {
  echo "package check: $1"
  exit 1
}

# what the package says of itself, and what is in it
nuspec=$(unzip -p "$package/Plait.$version.nupkg" Plait.nuspec)
for wanted in '<readme>README.md</readme>' '<license type="expression">MIT</license>' '<description>' '<tags>' \
  'id="FSharp.Core" version="10.0.111"' 'targetFramework="net8.0"' 'targetFramework="net10.0"'; do
  [[ $nuspec == *"$wanted"* ]] || fail "the nuspec has no $wanted"
done
files=$(unzip -Z1 "$package/Plait.$version.nupkg")
for wanted in README.md LICENSE lib/net8.0/Plait.dll lib/net8.0/Plait.xml lib/net10.0/Plait.dll lib/net10.0/Plait.xml \
  build/Plait.targets buildTransitive/Plait.targets; do
  grep -qx "$wanted" <<< "$files" || fail "the package has no $wanted"
done
symbols=$(unzip -Z1 "$package/Plait.$version.snupkg")
for wanted in lib/net8.0/Plait.pdb lib/net10.0/Plait.pdb; do
  grep -qx "$wanted" <<< "$symbols" || fail "the symbol package has no $wanted"
done
echo "package check: $(wc -l <<< "$files") files, symbols apart"

reference="<PackageReference Include=\"Plait\" Version=\"$version\" />"
project "$work/FSharp/User.fsproj" "$reference" Builders.fs Program.fs
project "$work/CSharp/User.csproj" "$reference" Door.cs Program.cs

expect() { # project words arguments...
  local project=$1 wanted=$2 seen
  shift 2
  seen=$(dotnet run --project "$work/$project" "$@")
  [ "$seen" = "$wanted" ] || fail "$project '$*' printed '$seen' where '$wanted' was expected"
  echo "package check: $project $* -> $seen"
}
for config in Release Debug; do
  expect FSharp/User.fsproj "$builders static" -c $config
  expect CSharp/User.csproj "$door" -c $config
done
rm -rf "$work/FSharp/obj/Debug" # a change of compiler options alone does not rebuild
expect FSharp/User.fsproj "$builders dynamic" -c Debug -p:PlaitStaticDebug=false
