#!/bin/sh
# The cost of the check: 50 files of this repository's own sources (src/Plait, and some of its tests) on 2 cores, against the budget
# of 10 s and 600 MB for the analysis itself. Prints both, and fails where one is exceeded. Build tests/Plait.Check.Tests before.
set -eu
cd "$(dirname "$0")/.."

program=artifacts/bin/Plait.Check.Tests/release/Plait.Check.Tests.dll
[ -f "$program" ] || { echo "$program is not there; build tests/Plait.Check.Tests in Release first" >&2; exit 2; }

# a server's garbage collector would trade memory for time
PLAIT_CHECK_COST=1 DOTNET_gcServer=0 taskset -c 0,1 \
    dotnet "$program" --no-progress --show-live-output on --filter-class Plait.Check.Tests.Cost
