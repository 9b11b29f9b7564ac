#!/usr/bin/env bash
# Compiles the program of check-trim.sh to native code. No warning may come up; the program must say the same as on the JIT, and
# each operation must allocate as much. Where the compiler's packages cannot be had, or there is no linker, it says so and passes.
set -euo pipefail
cd "$(dirname "$0")/.."
work=artifacts/aot-check
. build/user/projects.sh
fresh "$work"

fail() {
  echo "aot check: $1"
  exit 1
}

publish='<PublishAot>true</PublishAot>' user_program
user=$work/User/User.csproj
restored=$(dotnet restore "$user" --use-current-runtime -v q -nodeReuse:false 2>&1) || {
  reason=$(grep -m 1 -iE 'error NU(1101|1102|1103|1301).*(ilcompiler|nativeaot)' <<< "$restored") || fail "the program cannot be restored: $restored"
  echo "aot check: not available: ${reason#*error }"
  exit 0
}
if ! command -v clang > /dev/null && ! command -v gcc > /dev/null; then
  echo "aot check: not available: neither clang nor gcc is installed, and the compiler links with one of them"
  exit 0
fi
sdk publish "$user" -c Release -v q --nologo -nodeReuse:false --use-current-runtime -o "$work/out" \
  || fail "the program cannot be published: the compiler's errors and warnings are above"
sdk build "$user" -c Release -v q --nologo -nodeReuse:false

native=$work/out/User
seen=$("$native")
[ "$seen" = "$door"$'\n'"$builders" ] || fail "the native program printed '$seen'"

# optimised from the first call on, as native code is
"$native" bytes > "$work/native.tsv"
DOTNET_TieredCompilation=0 dotnet "$work/User/bin/Release/net10.0/User.dll" bytes > "$work/jit.tsv"
[ "$(wc -l < "$work/jit.tsv")" -gt 60 ] || fail "the program on the JIT said too little: $(cat "$work/jit.tsv")"
[ "$(cut -f1 "$work/native.tsv")" = "$(cut -f1 "$work/jit.tsv")" ] || fail "the native program measured other operations than the one on the JIT"
paste "$work/jit.tsv" <(cut -f2 "$work/native.tsv") > "$work/bytes.tsv"
more=$(awk -F '\t' '$3 > $2 + 1 { printf "\n  %s: %d, on the JIT %d", $1, $3, $2 }' "$work/bytes.tsv")
[ -z "$more" ] || fail "operations that allocate more bytes natively:$more"
echo "aot check: $(du -k "$native" | cut -f1) KB, no warning, the same words, and no more bytes than on the JIT in $(wc -l < "$work/bytes.tsv") rows ($work/bytes.tsv)"
