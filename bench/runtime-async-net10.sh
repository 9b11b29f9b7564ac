#!/usr/bin/env bash
# Renews bench/results/runtime-async-net10.md: runtime async on .NET 10, with its switch and without, beside .NET 11. Half a minute; counts
# bytes and states, and no time.
set -euo pipefail
cd "$(dirname "$0")/.."
build/fsharp11/make.sh
dotnet build bench/runtime-async-net10.cs -c Release -v q --nologo
program=artifacts/bin/release/runtime-async-net10.dll
read -r version bytes atOnce later awaits < <(DOTNET_RuntimeAsync=1 dotnet $program)
read -r version11 bytes11 atOnce11 later11 awaits11 < <(DOTNET_ROLL_FORWARD=LatestMajor artifacts/dotnet11/root/dotnet $program)
without=$(DOTNET_RuntimeAsync=0 dotnet $program 2>&1 || true)
without=$(grep -oE 'System\.[A-Za-z]+Exception' <<<"$without" | head -1)
cat >bench/results/runtime-async-net10.md <<END
# Runtime async on .NET 10

C# compiled with \`runtime-async=on\`, run by .NET $version with and without \`DOTNET_RuntimeAsync=1\`, and by .NET $version11. Renew with \`bench/runtime-async-net10.sh\`.

| | .NET 10 with the switch | .NET 10 without | .NET 11 |
|---|---|---|---|
| two \`Task.Yield()\`, started through a delegate: bytes | $bytes | ${without:-runs} | $bytes11 |
| cancelled before its first await | $atOnce | | $atOnce11 |
| cancelled behind an await | $later | | $later11 |
| awaits a cancelled Task | $awaits | | $awaits11 |
END
node build/documents.mjs
cat bench/results/runtime-async-net10.md
