# For bench/*.sh: plait attack and another load generator in turn (A B B A), on one core each run, with the null server of
# ASP.NET Core on another. Sourced with the working directory at the root. ROUNDS=5 SECONDS_EACH=3 PORT=18099
rounds=${ROUNDS:-5} seconds=${SECONDS_EACH:-3} port=${PORT:-18099}
url=http://127.0.0.1:$port/

need() { # command, where to get it
  command -v "$1" > /dev/null || { echo "$1 is not installed ($2): nothing was measured"; exit 2; }
}

# Builds the tool and the server, and starts that. Arguments: those of the server.
serve() {
  dotnet build src/Plait.Tool -c Release -v q --nologo -nodeReuse:false
  dotnet build bench/attack/Null.cs -c Release -o artifacts/bench-null -v q --nologo
  taskset -c 0 dotnet artifacts/bench-null/Null.dll "$port" "$@" &
  server=$!
  trap 'kill $server' EXIT
  until (echo > "/dev/tcp/127.0.0.1/$port") 2> /dev/null; do sleep 0.2; done
}

plait=artifacts/bin/Plait.Tool/release/plait.dll

# The JSON of a run of plait attack. Arguments: its options.
attack() {
  taskset -c 1 dotnet "$plait" attack "$url" "$@" \
    --duration "${seconds}s" --warm-up 1s --no-calibration --report json 2> /dev/null || true
}

# Requests/s of plait attack. Arguments: its options.
ours() { attack "$@" | awk -F '[:,]' '/"rightPerSecond"/ { print $2 + 0; exit }'; }

# Runs `ours_once` and `theirs_once` in turn, and prints the median of the ratios of pairs; fails when it is below the goal. Where
# less is better, a ratio is theirs over ours.
turns() { # name of theirs, goal, unit or nothing for "/s", "less" where less is better
  local unit=${3:-/s} better=${4:-more} ratios=() a b
  ours_once > /dev/null
  theirs_once > /dev/null
  pair() {
    ratios+=("$(awk -v a="$a" -v b="$b" -v better="$better" 'BEGIN { printf "%.3f", better == "less" ? b / a : a / b }')")
    echo "plait attack $a$unit, $1 $b$unit: ${ratios[-1]}"
  }
  for _ in $(seq "$rounds"); do
    a=$(ours_once) b=$(theirs_once); pair "$1"
    b=$(theirs_once) a=$(ours_once); pair "$1"
  done
  printf '%s\n' "${ratios[@]}" | sort -n | awk -v name="$1" -v goal="$2" '
    { ratio[NR] = $1 }
    END {
      median = NR % 2 ? ratio[(NR + 1) / 2] : (ratio[NR / 2] + ratio[NR / 2 + 1]) / 2
      printf "median of %d pairs: %.3f of %s (goal: %s), from %.3f to %.3f\n", NR, median, name, goal, ratio[1], ratio[NR]
      exit median < goal
    }'
}
