#!/usr/bin/env bash
# Publishes a program that uses every builder and the C# door, self-contained and trimmed as far as it goes. No warning of
# the trimmer may come up, and what is left must run and say the same.
set -euo pipefail
cd "$(dirname "$0")/.."
work=artifacts/trim-check
. build/user/projects.sh
fresh "$work"

# IL2040: FSharp.Core lists resources of its own for removal that it does not have, in every program that is trimmed.
# --reflectionfree: F# gives records and unions a ToString that formats by reflection, which no trimmer can follow.
# The built library, not its project: a publish for one runtime would restore the project anew, against its lock file.
dotnet build src/Plait -c Release -v q --nologo -nodeReuse:false
reference="<Reference Include=\"$PWD/artifacts/bin/Plait/release_net10.0/Plait.dll\" />"
extra='<IsTrimmable>true</IsTrimmable><OtherFlags>$(OtherFlags) --reflectionfree</OtherFlags>' project "$work/Builders/Builders.fsproj" "$reference" Builders.fs
extra='<OutputType>Exe</OutputType>
    <DefineConstants>$(DefineConstants);BUILDERS</DefineConstants>
    <SelfContained>true</SelfContained>
    <PublishTrimmed>true</PublishTrimmed>
    <TrimMode>full</TrimMode>
    <TrimmerSingleWarn>false</TrimmerSingleWarn>
    <NoWarn>$(NoWarn);IL2040</NoWarn>' \
  project "$work/User/User.csproj" "$reference <ProjectReference Include=\"../Builders/Builders.fsproj\" />" Door.cs Program.cs
dotnet publish "$work/User/User.csproj" -c Release -v q --nologo -nodeReuse:false --use-current-runtime -o "$work/out"

seen=$("$work/out/User")
if [ "$seen" != "$door"$'\n'"$builders" ]; then
  echo "trim check: the trimmed program printed '$seen'"
  exit 1
fi
echo "trim check: $(du -sk "$work/out" | cut -f1) KB, no warning, the same words"
