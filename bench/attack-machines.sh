#!/usr/bin/env bash
# Several plait attack --share as on machines of their own: a network namespace each, with wall clocks that are apart by seconds,
# and one link that loses packets. Then plait merge. Compares the merged percentiles with those of the list of all requests (the
# CSV of each part), the bounds of each clock that merge names with the skew that it has, and the requests of each second with the rate.
# Ends with 1 if one of them differs; if it cannot measure here, its last line is "not available" with the reason. Needs root, gcc,
# nginx, python3 and a built tool (make tool). `make test-more` has a short run: two machines, 3 s.
# MACHINES=4 RATE=200 SECONDS_EACH=8 LOSS=0.05
set -euo pipefail
cd "$(dirname "$0")/.."
machines=${MACHINES:-4} rate=${RATE:-200} seconds=${SECONDS_EACH:-8} loss=${LOSS:-0.05}
plait=${PLAIT:-$PWD/artifacts/bin/Plait.Tool/release/plait.dll}
here=$PWD/bench/attack
skip() { echo "not available: $1"; exit 0; }
[ "$(id -u)" = 0 ] || skip "only root makes network namespaces"
for command in ip gcc nginx python3 dotnet; do
  command -v "$command" > /dev/null || skip "$command is not installed"
done
[ -c /dev/net/tun ] || skip "this kernel has no /dev/net/tun"
ip netns add plait-try 2> /dev/null || skip "this kernel makes no network namespaces"
ip netns del plait-try

work=$(mktemp -d)
# All names have the number of this process: two runs may stand side by side. A network device has 15 letters at most.
run=$$
running=() link=
clean() {
  for pid in "${running[@]}"; do kill -TERM "$pid" 2> /dev/null || true; done
  wait 2> /dev/null || true
  for k in $(seq 0 "$machines"); do ip netns del "plait$run-$k" 2> /dev/null || true; done
  ip link del "pn$run" 2> /dev/null || true
  rm -rf "$work"
}
trap clean EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
# Waits until a command succeeds, as long as a process runs. Arguments: the process, its name, the command.
await() {
  local pid=$1 name=$2
  shift 2
  until "$@"; do
    kill -0 "$pid" 2> /dev/null || { echo "$name has ended" >&2; exit 1; }
    sleep 0.1
  done
}
gcc -O2 -shared -fPIC -o "$work/skew.so" "$here/skewed-clock.c"

# Machine 0 is the server. All links meet in a bridge; the one of machine 2 goes through a program that loses packets.
ip link add "pn$run" type bridge 2> /dev/null || skip "this kernel has no bridges"
ip link set "pn$run" up
for k in $(seq 0 "$machines"); do
  ip netns add "plait$run-$k"
  if [ "$k" = 2 ]; then
    python3 "$here/lossy-link.py" "pa$run" "pb$run" "$loss" > "$work/link" &
    running+=($!) link=$!
    await "$link" "the lossy link" grep -q ready "$work/link"
    ip link set "pa$run" master "pn$run" up
    ip link set "pb$run" netns "plait$run-2" name eth0
  else
    ip link add "pv$run-$k" type veth peer name eth0 netns "plait$run-$k"
    ip link set "pv$run-$k" master "pn$run" up
  fi
  ip -n "plait$run-$k" address add "10.77.0.$((k + 1))/24" dev eth0
  ip -n "plait$run-$k" link set eth0 up
  ip -n "plait$run-$k" link set lo up
done

echo hi > "$work/a.txt"
cat > "$work/nginx.conf" << CONF
daemon off; worker_processes 1; pid $work/pid; error_log stderr warn; events { worker_connections 512; }
http { access_log off; client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3; uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
server { listen 10.77.0.1:80; location / { return 200 "hi"; } } }
CONF
ip netns exec "plait$run-0" nginx -e stderr -c "$work/nginx.conf" &
nginx=$!
running+=("$nginx")
await "$nginx" nginx ip netns exec "plait$run-1" bash -c '(echo > /dev/tcp/10.77.0.1/80) 2> /dev/null'

# All begin at one time of the true clock: each gets that time in its own clock.
skews=(0 0 3000000000 -2500000000 250000000 0 7000000000 -40000000)
start=$(($(date +%s) + 20 + machines))
generators=()
for k in $(seq "$machines"); do
  skew=${skews[$k]:-0}
  at=$(python3 -c "print(f'{$start + $skew / 1e9:.3f}')")
  LD_PRELOAD=$work/skew.so SKEW_NANOSECONDS=$skew ip netns exec "plait$run-$k" dotnet "$plait" attack http://10.77.0.1/ \
    --rate "$rate/s" --duration "${seconds}s" --share "$k/$machines" --start-at "$at" --no-calibration --timeout 20s \
    --json "$work/m$k.json" --csv "$work/m$k.csv" --report none 2> "$work/m$k.err" &
  generators+=($!) running+=($!)
done
for pid in "${generators[@]}"; do wait "$pid" || true; done
if [ -n "$link" ]; then
  kill "$link" && wait "$link" || true
  tail -1 "$work/link"
fi

files=(); for k in $(seq "$machines"); do files+=("$work/m$k.json"); done
dotnet "$plait" merge "${files[@]}" --json "$work/whole.json" > "$work/merged.txt" || true
COLUMNS=200 grep '^note:' -A2 "$work/merged.txt" || true
python3 - "$work" "$machines" "$rate" "$seconds" "${skews[@]}" << 'PY'
import csv, json, math, re, sys
work, (machines, rate, seconds), skews = sys.argv[1], map(int, sys.argv[2:5]), [int(s) for s in sys.argv[5:]]
skews = (skews + [0] * machines)[: machines + 1]
file = json.load(open(f"{work}/whole.json"))
whole = file["outcome"]
bad = 0
for column, key in ("latencyNanoseconds", "intended"), ("fromSendNanoseconds", "actual"):
    all = sorted(
        int(row[column])
        for k in range(1, machines + 1)
        for row in csv.DictReader(open(f"{work}/m{k}.csv"))
        if row["result"] == "right" and (key == "actual" or row["waited"] == "0")
    )
    print(f"{key}: {len(all)} requests in the CSVs, {whole[key]['count']} merged")
    bad += len(all) != whole[key]["count"]
    for percent, merged in whole[key]["percentiles"]:
        exact = all[max(1, math.ceil(percent / 100 * len(all))) - 1]
        # A class of a histogram of three digits: 2048 below each power of two.
        width = 1 << max(0, exact.bit_length() - 11)
        same = int(merged) // width == exact // width
        bad += not same
        if percent in (50, 90, 99, 99.9, 100) or not same:
            print(f"  p{percent:g}: merged {merged / 1e6:.3f} ms, of the list {exact / 1e6:.3f} ms{'' if same else ', ANOTHER CLASS'}")
due = {s["at"]: s["due"] for s in whole["seconds"]}
print("due in each second of the whole:", list(due.values()))
for at in range(seconds):
    if due.get(at) != rate:
        print(f"  SECOND {at} has {due.get(at)} of {rate}")
        bad += 1

# The units of the notes, in seconds: "2.984s to 3.028s ahead of", and for those that are not named "agree ... within 28ms".
units = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


def duration(text):
    number, unit = re.fullmatch(r"(-?[\d.]+)(ns|µs|ms|s)", text).groups()
    return float(number) * units[unit]


notes = "\n".join(file["warnings"])
agree = re.search(r"agree with that of m1 within (\S+?);", notes)
for k in range(2, machines + 1):
    skew = (skews[k] - skews[1]) / 1e9
    named = re.search(rf"the clock of m{k} is (\S+) to (\S+) (ahead of|behind) that of m1;", notes)
    if named:
        low, high = sorted(duration(named[n]) * (1 if named[3] == "ahead of" else -1) for n in (1, 2))
    elif agree and f"the clock of m{k} " not in notes:
        low, high = -duration(agree[1]), duration(agree[1])
    else:
        print(f"  m{k}: NOT COMPARED, its clock is {skew} s ahead")
        bad += 1
        continue
    # The texts are rounded.
    inside = low - 0.001 <= skew <= high + 0.001
    bad += not inside
    print(f"  m{k}: its clock is {skew} s ahead, merge found {low:.3f} to {high:.3f} s{'' if inside else ', NOT INSIDE'}")
sys.exit(bad > 0)
PY
