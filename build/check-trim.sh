#!/usr/bin/env bash
# Publishes a program that uses every builder and the C# door, self-contained and trimmed as far as it goes. The trimmer
# must give no warning, and the trimmed program must print the same.
set -euo pipefail
cd "$(dirname "$0")/.."
work=artifacts/trim-check
. build/user/projects.sh
fresh "$work"

publish='<SelfContained>true</SelfContained><PublishTrimmed>true</PublishTrimmed>' user_program
sdk publish "$work/User/User.csproj" -c Release -v q --nologo -nodeReuse:false --use-current-runtime -o "$work/out"

seen=$("$work/out/User")
if [ "$seen" != "$door"$'\n'"$builders" ]; then
  echo "trim check: the trimmed program printed '$seen'"
  exit 1
fi
echo "trim check: $(du -sk "$work/out" | cut -f1) KB, no warning, the same words"
