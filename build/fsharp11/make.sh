#!/usr/bin/env bash
# Makes the tools of .NET 11 code for an older SDK, in artifacts/dotnet11: the compiler of F# 11 (`fsc`), a .NET 11 runtime
# (`root`) from the packs of the feed, and `toolchain.props`, which has the paths of both. An installed SDK 11 is used instead.
# Exit code 3 and one line, "not available: REASON", where the feed does not have them; artifacts/dotnet11/unavailable keeps it.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=11.0.0
here=build/fsharp11
to=$PWD/artifacts/dotnet11
log=$to/make.log
mkdir -p "$to"

wanted=$(cat $here/{make.sh,Packs.csproj,Fsc.fsproj,Program.fs} <(dotnet --list-sdks) | cksum)
if [ "$(cat "$to/made" 2>/dev/null)" = "$wanted" ]; then
  exit 0
fi
rm -f "$to/made" "$to/toolchain.props" "$to/unavailable"

unavailable() { # missing part: prints it with NuGet's reason
  local reason
  reason=$(grep -oE 'error NU[0-9]+:.*' "$log" | sed -e 's/^error //' -e 's/ \[.*//' | sort -u | head -1)
  echo "not available: $1${reason:+ ($reason)}" | tee "$to/unavailable"
  exit 3
}

# A package or a version that no source has is not available. Any other failure, such as a source that does not answer, is an
# error.
failed() { # missing part
  if grep -qE 'error NU110[123]' "$log"; then unavailable "$1"; fi
  cat "$log" >&2
  exit 1
}

finish() { # root compiler: writes toolchain.props
  cat >"$to/toolchain.props" <<END
<Project>
  <PropertyGroup>
    <Dotnet11Root>$1</Dotnet11Root>
    <FSharp11Compiler>$2</FSharp11Compiler>
  </PropertyGroup>
</Project>
END
  # the same root by one name, for scripts and people
  [ "$1" = "$to/root" ] || { rm -rf "$to/root" && ln -s "$1" "$to/root"; }
  echo "$wanted" >"$to/made"
}

# previews and release candidates have other intrinsics, or none
installed=$(dotnet --list-sdks | sed -n 's/^\(11\.[^ -]*\) \[\(.*\)\]$/\2\/\1/p' | tail -1)
if [ -n "$installed" ] && [ -f "$installed/FSharp/fsc.dll" ]; then
  finish "$(dirname "$(dirname "$installed")")" "$installed/FSharp/fsc.dll"
  echo "The .NET SDK ${installed##*/} is installed and used."
  exit 0
fi

platform=$(dotnet msbuild $here/Packs.csproj -getProperty:NETCoreSdkPortableRuntimeIdentifier)
dotnet restore $here/Packs.csproj -v q --nologo -p:Net11Version=$version >"$log" 2>&1 || failed "the packs of .NET $version"
# shellcheck disable=SC2086
env ${COMPILER_RUNTIME:-} dotnet publish $here/Fsc.fsproj -c Release -v q --nologo -nodeReuse:false -o "$to/fsc" >"$log" 2>&1 || failed "the compiler of F# 11"

packages=$(dotnet msbuild $here/Packs.csproj -getProperty:NuGetPackageRoot -p:Net11Version=$version)
rm -rf "$to/root"
for framework in Microsoft.NETCore.App Microsoft.AspNetCore.App; do
  pack=$framework.Runtime.$platform
  files=$to/root/shared/$framework/$version
  mkdir -p "$files"
  cp -r "$packages/${pack,,}/$version/runtimes/$platform/lib/"net*/. "$files"
  [ ! -d "$packages/${pack,,}/$version/runtimes/$platform/native" ] || cp -r "$packages/${pack,,}/$version/runtimes/$platform/native/." "$files"
done
mkdir -p "$to/root/host/fxr/$version"
mv "$to/root/shared/Microsoft.NETCore.App/$version/"libhostfxr.* "$to/root/host/fxr/$version/"
cp "$(dirname "$(readlink -f "$(command -v dotnet)")")/dotnet" "$to/root/dotnet"
"$to/root/dotnet" --list-runtimes | grep -q " $version " || {
  echo "The runtime in $to/root does not start." >&2
  exit 1
}
finish "$to/root" "$to/fsc/fsc11.dll"
echo "F# 11 and .NET $version are in artifacts/dotnet11."
