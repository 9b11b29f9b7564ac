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
  trap 'kill $server 2> /dev/null || true' EXIT
  until (echo > "/dev/tcp/127.0.0.1/$port") 2> /dev/null; do serves; sleep 0.2; done
}

# Ends the bench if the server has ended.
serves() {
  kill -0 "$server" 2> /dev/null || { echo "the null server on port $port has ended: nothing is judged"; exit 2; }
}

plait=artifacts/bin/Plait.Tool/release/plait.dll

# The JSON of a run of plait attack. Arguments: its options.
attack() {
  taskset -c 1 dotnet "$plait" attack "$url" "$@" \
    --duration "${seconds}s" --warm-up 1s --no-calibration --report json || true
}

# Requests/s of plait attack. Arguments: its options.
ours() { attack "$@" | awk -F '[:,]' '/"rightPerSecond"/ { print $2 + 0; exit }'; }

# CPU microseconds a request of plait attack, of the process while it counts. Arguments: its options.
cpu() {
  attack "$@" | node -pe '
    const { busy, elapsedSeconds, requests } = JSON.parse(require("fs").readFileSync(0)).outcome;
    (1e6 * busy * elapsedSeconds / requests).toFixed(3)'
}

# Sets a variable to the figure of a run. Ends the bench if the run has none, or if the server has ended.
measure() { # variable, function of the run, name of the program
  local figure errors=artifacts/bench-errors.txt
  figure=$("$2" 2> "$errors") || figure="none (exit code $?)"
  serves

  if ! awk -v figure="$figure" 'BEGIN { exit !(figure ~ /^[0-9.]+$/ && figure > 0) }'; then
    echo "a run of $3 has the figure '$figure', which is not above 0: nothing is judged. The end of its errors:"
    tail -n 5 "$errors"
    exit 2
  fi

  printf -v "$1" %s "$figure"
}

# The median, the least and the greatest of the arguments.
spread() {
  printf '%s\n' "$@" | sort -n | awk '
    { ratio[NR] = $1 }
    END { printf "%.3f %.3f %.3f", NR % 2 ? ratio[(NR + 1) / 2] : (ratio[NR / 2] + ratio[NR / 2 + 1]) / 2, ratio[1], ratio[NR] }'
}

# Runs `ours_once` and `theirs_once` in turn, and prints the median of the ratios of pairs. Where less is better, a ratio is theirs
# over ours. The control is theirs over theirs, of the two runs of each round that follow each other. It holds if its median
# is at most half as far from 1 as the median of the ratios is from the goal. Returns 1 if the control holds and the median is below
# the goal, and 3 if the control does not hold.
turns() { # name of theirs, goal, unit or nothing for "/s", "less" where less is better
  local unit=${3:-/s} better=${4:-more} ratios=() controls=() a b before
  measure a ours_once "plait attack"
  measure b theirs_once "$1"
  ratio() { awk -v a="$1" -v b="$2" -v better="$better" 'BEGIN { printf "%.3f", better == "less" ? b / a : a / b }'; }
  pair() {
    ratios+=("$(ratio "$a" "$b")")
    echo "plait attack $a$unit, $1 $b$unit: ${ratios[-1]}"
  }
  for _ in $(seq "$rounds"); do
    measure a ours_once "plait attack"
    measure b theirs_once "$1"
    pair "$1"
    before=$b
    measure b theirs_once "$1"
    measure a ours_once "plait attack"
    pair "$1"
    controls+=("$(ratio "$b" "$before")")
  done
  awk -v name="$1" -v goal="$2" -v pairs="${#ratios[@]}" -v ours="$(spread "${ratios[@]}")" -v control="$(spread "${controls[@]}")" '
    BEGIN {
      split(ours, of); split(control, at)
      printf "median of %d pairs: %.3f of %s (goal: %s), from %.3f to %.3f\n", pairs, of[1], name, goal, of[2], of[3]
      printf "control, %s over itself: %.3f, from %.3f to %.3f", name, at[1], at[2], at[3]
      off = at[1] - 1; distance = of[1] - goal
      if (4 * off * off > distance * distance) { print ": it does not hold, so the median is not judged"; exit 3 }
      print ""
      exit of[1] < goal
    }'
}
