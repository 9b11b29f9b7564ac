#!/usr/bin/env bash
# Installs the tool's package as a user does who has .NET and nothing else: from an empty folder, in a home that is new, with a node
# and an npm that fail. Every verb that needs no candidates must work, and one that needs them must say where they are.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
source=$root/artifacts/package/release
# outside of the tree, where the lab would find its programs
work=$(mktemp -d)
. build/user/projects.sh
said=$work/said
service=

fail() {
  echo "tool check: $1"
  [ ! -s "$said" ] || { echo "--- the last lines of its output:"; tail -n 40 "$said"; }
  exit 1
}

end() {
  # the service ends with its input
  [ -z "$service" ] || exec {input}>&-
  [ -z "$service" ] || wait "$service" || true
  rm -rf "$work"
}
trap end EXIT

[ "$(ls "$source"/Plait.Tool.*.nupkg 2> /dev/null | wc -l)" -eq 1 ] || fail "there is not one package of the tool in artifacts/package/release: make it with 'make pack'"
package=$(ls "$source"/Plait.Tool.*.nupkg)
version=$(basename "$package" .nupkg)
version=${version#Plait.Tool.}

# the package's description, and its files
nuspec=$(unzip -p "$package" Plait.Tool.nuspec)
for wanted in '<packageType name="DotnetTool"' '<readme>README.md</readme>' '<license type="expression">MIT</license>' '<description>' '<tags>'; do
  [[ $nuspec == *"$wanted"* ]] || fail "the nuspec has no $wanted"
done
files=$(unzip -Z1 "$package")
for wanted in README.md LICENSE CHANGELOG.md tools/net10.0/any/plait.dll; do
  grep -qx "$wanted" <<< "$files" || fail "the package has no $wanted"
done
for path in $(unzip -p "$package" README.md | grep -oE '`docs/[^` ]+`' | tr -d '`'); do
  grep -qx "$path" <<< "$files" || fail "the README names $path, which is not in the package"
done
unwanted=$(grep -E '^tools/.*(\.xml|KernelTraceControl\.dll|msdia140\.dll)$' <<< "$files" | grep -v DotnetToolSettings.xml) || true
[ -z "$unwanted" ] || fail "the package has files that nobody needs: $unwanted"

# a home of its own; where the machine's packages come from stays as it is
home=$work/home
mkdir -p "$home" "$work/empty" "$work/no-node"
for config in .nuget/NuGet/NuGet.Config .config/NuGet/NuGet.Config; do
  [ ! -f "$HOME/$config" ] || { mkdir -p "$home/$(dirname $config)" && cp "$HOME/$config" "$home/$config"; }
done
for name in node npm npx; do
  printf '#!/bin/sh\necho %s >> "%s/called"\nexit 127\n' "$name" "$work" > "$work/no-node/$name"
  chmod +x "$work/no-node/$name"
done
export HOME=$home DOTNET_CLI_HOME=$home NUGET_PACKAGES=$home/packages PATH=$work/no-node:$home/.dotnet/tools:$PATH
unset XDG_CONFIG_HOME XDG_DATA_HOME

# the program that it is tried on
project "$work/Service/Service.fsproj" "" Service.fs > /dev/null
sed -i 's:<RestorePackagesPath>.*</RestorePackagesPath>::; s:<TreatWarningsAsErrors>true:<TreatWarningsAsErrors>false:' "$work/Service/Service.fsproj"
dotnet build "$work/Service/Service.fsproj" -c Release -v q --nologo -nodeReuse:false -o "$work/Service/out" > "$said" 2>&1 || fail "the service does not build"
mkfifo "$work/input"
dotnet "$work/Service/out/Service.dll" < "$work/input" > "$work/service" &
exec {input}> "$work/input"
service=$!
until [ -s "$work/service" ]; do
  kill -0 "$service" 2> /dev/null || fail "the service did not start"
  sleep 0.1
done
read -r pid url < "$work/service"

cd "$work/empty"
expect() { # exit-code words command...: ends with the code, and prints the words
  local code=0 wanted=$1 words=$2
  shift 2
  "$@" > "$said" 2>&1 || code=$?
  [ "$code" -eq "$wanted" ] || fail "'$*' ended with $code where $wanted was expected"
  grep -qF -- "$words" "$said" || fail "'$*' did not print '$words'"
  echo "tool check: $(sed "s:$root/::g; s:$work/::g" <<< "$*" | cut -c1-110)"
}

# as an installed command; how fast this machine is must not matter (--max-lag)
expect 0 "(version '$version') was successfully installed" dotnet tool install --global Plait.Tool --prerelease --add-source "$source"
[ "$(command -v plait)" = "$home/.dotnet/tools/plait" ] || fail "the command is not $home/.dotnet/tools/plait but $(command -v plait)"
expect 0 'plait [command] [options]' plait --help
expect 0 '100.00%' plait attack "$url" --rate 50/s --duration 2s --max-lag 1m --out one
expect 0 '100.00%' plait attack "$url" --connections 2 --duration 2s --max-lag 1m --out two
expect 0 '' plait report one/attack.json two/attack.json --out both.html
expect 0 '' plait merge one/attack.hlog two/attack.hlog --out both.hlog
for page in one/page.html both.html; do
  grep -q 'id="plait-results"' "$page" && [ "$(wc -c < "$page")" -gt 100000 ] || fail "$page is no page with results"
done
grep -q '^#\[Histogram log format' both.hlog || fail "both.hlog is no log of histograms"
expect 1 'PLT201' plait check "$work/Service/Service.fsproj"
expect 0 'HEALTHY' plait doctor "$pid" --html doctor.html
for verb in fizzbuzz yield blocking adapter list; do
  expect 2 "make candidates" plait lab $verb
done

# without installing it, and as a tool of a folder: .NET starts the program, and the program starts itself as .NET does
expect 0 'successful' dotnet tool uninstall --global Plait.Tool
hash -r
! command -v plait > /dev/null || fail "the command is still there after it was uninstalled"
expect 1 'PLT201' dotnet dnx "Plait.Tool@$version" --add-source "$source" --yes -- check "$work/Service/Service.fsproj"
expect 0 '' dotnet new tool-manifest
expect 0 'successfully installed' dotnet tool install Plait.Tool --version "$version" --add-source "$source"
expect 0 '100.00%' dotnet plait attack "$url" --rate 50/s --duration 1s --max-lag 1m
expect 0 'successful' dotnet tool uninstall Plait.Tool

[ ! -e "$work/called" ] || fail "the tool called $(sort -u "$work/called" | tr '\n' ' ')"
kill -0 "$service" || fail "the service did not outlive the check"
echo "tool check: $version, $(du -k "$package" | cut -f1) KB, installed, used and uninstalled in a new home, without Node"
