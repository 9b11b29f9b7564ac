#!/usr/bin/env bash
# Builds the tests of the library in one configuration, and runs those whose full name, NAMESPACE.CLASS.NAME, contains FILTER.
# In Debug and DebugInline each program is compiled with one builder of a kind only.
set -uo pipefail
cd "$(dirname "$0")/.."
filter=${FILTER:-}
config=${CONFIG:-Debug}
if [ -z "${filter// /}" ]; then
  echo "make quick-test needs a part of the names of the tests to run: make quick-test FILTER=Plait.Tests.Binding" >&2
  exit 2
fi

env ${COMPILER_RUNTIME:-} dotnet build tests/Plait.Tests -c "$config" -v q --nologo -nodeReuse:false || exit
code=0
dotnet "artifacts/bin/Plait.Tests/${config,,}/Plait.Tests.dll" --no-progress --filter-method "*$filter*" || code=$?
[ "$code" -ne 8 ] || echo "No test of Plait.Tests has \"$filter\" in its name." >&2
exit "$code"
