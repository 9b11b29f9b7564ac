#!/usr/bin/env bash
# Tests make.sh with an installed SDK 11, and with a feed without .NET 11, in a copy of its files.
set -euo pipefail
cd "$(dirname "$0")/../.."
work=$PWD/artifacts/toolchain-check
rm -rf "$work" && mkdir -p "$work/tree/build" "$work/bin" "$work/feed" "$work/packages" "$work/sdk/11.0.100/FSharp"
cp -r build/fsharp11 "$work/tree/build/"
cp global.json Directory.*.props Directory.*.targets "$work/tree/"

fail() {
  echo "make dotnet11: $1"
  exit 1
}

code=0
said=$(NUGET_PACKAGES=$work/packages RestoreSources=$work/feed "$work/tree/build/fsharp11/make.sh") || code=$?
[ "$code" -eq 3 ] || fail "an empty feed ended with $code: $said"
[[ $said == "not available: "*NU1101* ]] || fail "an empty feed said: $said"
[ "$(cat "$work/tree/artifacts/dotnet11/unavailable")" = "$said" ] || fail "an empty feed did not leave its reason"
[ ! -e "$work/tree/artifacts/dotnet11/toolchain.props" ] || fail "an empty feed made a toolchain"
NUGET_PACKAGES=$work/packages RestoreSources=$work/feed "$work/tree/build/fsharp11/test.sh" >/dev/null || fail "the tests failed where .NET 11 is not available"

code=0
silent=$(NUGET_PACKAGES=$work/packages RestoreSources=https://127.0.0.1:9/index.json "$work/tree/build/fsharp11/make.sh" 2>&1) || code=$?
[[ $code -eq 1 && $silent == *NU1301* ]] || fail "a feed that does not answer ended with $code: $silent"

touch "$work/sdk/11.0.100/FSharp/fsc.dll"
cat >"$work/bin/dotnet" <<END
#!/usr/bin/env bash
[ "\$1" = --list-sdks ] || exec $(command -v dotnet) "\$@"
echo "10.0.401 [/nowhere/sdk]"
echo "11.0.100 [$work/sdk]"
END
chmod +x "$work/bin/dotnet"
PATH=$work/bin:$PATH "$work/tree/build/fsharp11/make.sh" >/dev/null
grep -q "<FSharp11Compiler>$work/sdk/11.0.100/FSharp/fsc.dll</FSharp11Compiler>" "$work/tree/artifacts/dotnet11/toolchain.props" \
  || fail "an installed SDK 11 is not used"
echo "make dotnet11: an installed SDK is used; an empty feed is \"$said\""
