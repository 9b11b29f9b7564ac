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

# Requests/s of plait attack. Arguments: its options.
ours() {
  taskset -c 1 dotnet artifacts/bin/Plait.Tool/release/plait.dll attack "$url" "$@" \
    --duration "${seconds}s" --warm-up 1s --no-calibration --report json 2> /dev/null |
    awk -F '[:,]' '/"rightPerSecond"/ { print $2 + 0; exit }' || true
}

# Runs `ours_once` and `theirs_once` in turn, and prints the median of the ratios of pairs; fails when it is below the goal.
turns() { # name of theirs, goal
  ours_once > /dev/null
  theirs_once > /dev/null
  local ratios=() a b
  pair() {
    ratios+=("$(awk -v a="$a" -v b="$b" 'BEGIN { printf "%.3f", a / b }')")
    echo "plait attack $a/s, $1 $b/s: ${ratios[-1]}"
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
