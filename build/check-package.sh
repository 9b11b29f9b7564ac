#!/usr/bin/env bash
# Reads the packages as a user would who has nothing else: every page that a message names is in Plait, and every link of its pages
# leads into it. Then uses them: a fresh F# and a fresh C# project, warnings as errors, Debug and Release. Computations must be
# state machines in Release, and closures in Debug.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=artifacts/package-check
package=artifacts/package/release
feed=$package
. build/user/projects.sh
fresh "$work"

fail() {
  echo "package check: $1"
  exit 1
}

# a package that is left from before would be taken in place of a newer prerelease
[ "$(ls $package/Plait.[0-9]*.nupkg | wc -l)" -eq 1 ] || fail "there is not one package of the library in $package"
version=$(basename $package/Plait.[0-9]*.nupkg .nupkg)
version=${version#Plait.}

# a package's description, and its files
contents() { # name dependency files...
  local name=$1 dependency=$2 nuspec files symbols wanted
  nuspec=$(unzip -p "$package/$name.$version.nupkg" "$name.nuspec")
  for wanted in '<readme>README.md</readme>' '<license type="expression">MIT</license>' '<description>' '<tags>' \
    'id="FSharp.Core" version="10.0.111"' 'targetFramework="net8.0"' 'targetFramework="net10.0"' "$dependency"; do
    [[ $nuspec == *"$wanted"* ]] || fail "the nuspec of $name has no $wanted"
  done
  files=$(unzip -Z1 "$package/$name.$version.nupkg")
  for wanted in README.md LICENSE lib/{net8.0,net10.0}/$name.{dll,xml} "${@:3}"; do
    grep -qx "$wanted" <<< "$files" || fail "the package $name has no $wanted"
  done
  symbols=$(unzip -Z1 "$package/$name.$version.snupkg")
  for wanted in lib/{net8.0,net10.0}/$name.pdb; do
    grep -qx "$wanted" <<< "$symbols" || fail "the symbol package of $name has no $wanted"
  done
}
contents Plait '' CHANGELOG.md build/Plait.targets buildTransitive/Plait.targets
contents Plait.ThreadPool "id=\"Plait\" version=\"$version\""

# the pages, as they lie in the package
pages=$work/pages
unzip -q -d "$pages" "$package/Plait.$version.nupkg"
unzip -q -d "$work/threads" "$package/Plait.ThreadPool.$version.nupkg"
named=$(cat "$pages"/lib/*/Plait.dll "$work"/threads/lib/*/Plait.ThreadPool.dll | tr -d '\0' | grep -aoE 'docs/errors/[a-z-]+\.md' | sort -u)
[ -n "$named" ] || fail "no page is named by a message"
for page in $named; do
  [ -f "$pages/$page" ] || fail "a message names $page, which is not in the package"
done
links=$(cd "$pages" && find . -name '*.md' ! -path ./README.md -exec grep -oHE '\]\([^)# ]+' {} + | grep -vE '\]\([a-z]+:' | sed 's/:\](/ /')
while read -r page link; do
  [ -e "$pages/$(dirname "$page")/$link" ] || fail "$page links to $link, which is not in the package"
done <<< "$links"
if grep -nE '\]\(([^a-z]|[a-z]+[^a-z:])' "$pages/README.md"; then fail "a page on the web that shows the README has no file for these links"; fi
for path in $(grep -oE '\(`[^` ]+\.md`\)' "$pages/README.md" | tr -d '()`'); do
  [ -e "$pages/$path" ] || fail "the README names $path, which is not in the package"
done
echo "package check: $version, $(find "$pages" -type f | wc -l) files, $(wc -w <<< "$named") pages named by messages, $(wc -l <<< "$links") links between pages, symbols apart"

# as the tutorial adds it; of the newest version, and without a package from elsewhere
{
  export NUGET_PACKAGES=$PWD/$work/packages
  dotnet new console -lang F# -o "$work/Added"
  dotnet add "$work/Added" package Plait --prerelease --source "$PWD/$feed"
} > "$work/added.log" || fail "dotnet add package: $(cat "$work/added.log")"
grep -q "Include=\"Plait\" Version=\"$version\"" "$work/Added/Added.fsproj" || fail "dotnet add package took another version"

# it brings the library with it, and the library's additions to a build
reference="<PackageReference Include=\"Plait.ThreadPool\" Version=\"$version\" />"
project "$work/FSharp/User.fsproj" "$reference" Builders.fs Program.fs
project "$work/CSharp/User.csproj" "$reference" Door.cs Program.cs

expect() { # project words arguments...
  local project=$1 wanted=$2 seen
  shift 2
  seen=$(sdk run --project "$work/$project" "$@")
  [ "$seen" = "$wanted" ] || fail "$project '$*' printed '$seen' where '$wanted' was expected"
  echo "package check: $project $* -> $seen"
}
expect FSharp/User.fsproj "$builders static" -c Release
expect FSharp/User.fsproj "$builders dynamic" -c Debug
for config in Release Debug; do
  expect CSharp/User.csproj "$door" -c $config
done
