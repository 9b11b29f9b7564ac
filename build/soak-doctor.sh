#!/usr/bin/env bash
# Healthy load under plait doctor --watch: fails on any alarm. Prints the watch's figures, and its processor time. FOR=10m
set -euo pipefail
cd "$(dirname "$0")/.."
for=${FOR:-10m}
tool=artifacts/bin/Plait.Tool/release/plait
folder=$(mktemp -d)
pids=()
end() {
  # their input ends with the process that feeds it
  for pid in "${pids[@]}"; do kill "$pid" 2> /dev/null || true; done
  rm -rf "$folder"
}
trap end EXIT

samples=(Plait.Samples.Sick/release/sick-fsharp.dll:HealthyAsync Plait.Samples.Sick.CSharp/release/sick-csharp.dll:BriefBlocking)
watches=()
for sample in "${samples[@]}"; do
  dll=artifacts/bin/${sample%%:*} name=${sample##*:}
  [ -f "$dll" ] || { echo "$dll is missing: build it first, with 'make build'" >&2; exit 2; }
  mkfifo "$folder/$name.in"
  dotnet "$dll" "$name" < "$folder/$name.in" > "$folder/$name.out" &
  pids+=($!)
  exec {input}> "$folder/$name.in"
  until grep -q '^ready ' "$folder/$name.out"; do
    kill -0 "${pids[-1]}" 2> /dev/null || { echo "$name did not start" >&2; exit 2; }
    sleep 0.1
  done
  target=$(awk '/^ready / { print $2 }' "$folder/$name.out")
  echo "$name, process $target: watched for $for"
  (
    code=0
    # user and system time of the watching, of all threads
    TIMEFORMAT='%R %U %S'
    { time "$tool" doctor "$target" --watch --for "$for" --json "$folder/$name.json" > "$folder/$name.said" 2>&1; } 2> "$folder/$name.time" || code=$?
    echo "$code" > "$folder/$name.code"
  ) &
  watches+=($!)
done
for watch in "${watches[@]}"; do wait "$watch"; done

failed=0
for sample in "${samples[@]}"; do
  name=${sample##*:}
  code=$(cat "$folder/$name.code")
  echo
  echo "$name"
  tail -n 40 "$folder/$name.said"
  awk '{ printf "watching took %.2f s of processor in %.0f s: %.2f %% of a core\n", $2 + $3, $1, 100 * ($2 + $3) / $1 }' "$folder/$name.time"
  case $code in
    0) echo "no alarm" ;;
    1) echo "ALARM: plait doctor ended with exit code 1"; failed=1 ;;
    *) echo "plait doctor could not tell: exit code $code"; failed=1 ;;
  esac
done
exit "$failed"
