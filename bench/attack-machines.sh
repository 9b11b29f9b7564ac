#!/usr/bin/env bash
# Several plait attack --share as on machines of their own: a network namespace each, with wall clocks that are apart by seconds,
# and one link that loses packets. Then plait merge. Compares the merged percentiles with those of the list of all requests (the
# CSV of each part), and the clocks that merge finds with those that they have. Needs root, gcc, nginx, python3 and a built tool
# (make tool). MACHINES=4 RATE=200 SECONDS_EACH=8 LOSS=0.05
set -euo pipefail
cd "$(dirname "$0")/.."
machines=${MACHINES:-4} rate=${RATE:-200} seconds=${SECONDS_EACH:-8} loss=${LOSS:-0.05}
plait=${PLAIT:-$PWD/artifacts/bin/Plait.Tool/release/plait.dll}
here=$PWD/bench/attack
skip() { echo "$1: nothing was measured"; exit 2; }
[ "$(id -u)" = 0 ] || skip "only root makes network namespaces"
for command in ip gcc nginx python3 dotnet; do
  command -v "$command" > /dev/null || skip "$command is not installed"
done
[ -c /dev/net/tun ] || skip "this kernel has no /dev/net/tun"
ip netns add plait-try 2> /dev/null || skip "this kernel makes no network namespaces"
ip netns del plait-try

work=$(mktemp -d)
running=()
clean() {
  for pid in "${running[@]}"; do kill "$pid" 2> /dev/null || true; done
  wait 2> /dev/null || true
  for k in $(seq 0 "$machines"); do ip netns del "plait$k" 2> /dev/null || true; done
  ip link del plait-net 2> /dev/null || true
  rm -rf "$work"
}
trap clean EXIT
gcc -O2 -shared -fPIC -o "$work/skew.so" "$here/skewed-clock.c"

# Machine 0 is the server. All links meet in a bridge; the one of machine 2 goes through a program that loses packets.
ip link add plait-net type bridge 2> /dev/null || skip "this kernel has no bridges"
ip link set plait-net up
for k in $(seq 0 "$machines"); do
  ip netns add "plait$k"
  if [ "$k" = 2 ]; then
    python3 "$here/lossy-link.py" plait-a plait-b "$loss" > "$work/link" &
    running+=($!) link=$!
    until grep -q ready "$work/link"; do sleep 0.1; done
    ip link set plait-a master plait-net up
    ip link set plait-b netns plait2 name eth0
  else
    ip link add "plait-v$k" type veth peer name eth0 netns "plait$k"
    ip link set "plait-v$k" master plait-net up
  fi
  ip -n "plait$k" address add "10.77.0.$((k + 1))/24" dev eth0
  ip -n "plait$k" link set eth0 up
  ip -n "plait$k" link set lo up
done

echo hi > "$work/a.txt"
cat > "$work/nginx.conf" << CONF
daemon off; worker_processes 1; pid $work/pid; error_log stderr warn; events { worker_connections 512; }
http { access_log off; client_body_temp_path $work/t1; proxy_temp_path $work/t2; fastcgi_temp_path $work/t3; uwsgi_temp_path $work/t4; scgi_temp_path $work/t5;
server { listen 10.77.0.1:80; location / { return 200 "hi"; } } }
CONF
ip netns exec plait0 nginx -e stderr -c "$work/nginx.conf" &
running+=($!)
until ip netns exec plait1 bash -c '(echo > /dev/tcp/10.77.0.1/80) 2> /dev/null'; do sleep 0.2; done

# All begin at one time of the true clock: each is told the time by its own.
skews=(0 0 3000000000 -2500000000 250000000 0 7000000000 -40000000)
start=$(($(date +%s) + 20 + machines))
generators=()
for k in $(seq "$machines"); do
  skew=${skews[$k]:-0}
  at=$(python3 -c "print(f'{$start + $skew / 1e9:.3f}')")
  LD_PRELOAD=$work/skew.so SKEW_NANOSECONDS=$skew ip netns exec "plait$k" dotnet "$plait" attack http://10.77.0.1/ \
    --rate "$rate/s" --duration "${seconds}s" --share "$k/$machines" --start-at "$at" --no-calibration --timeout 20s \
    --json "$work/m$k.json" --csv "$work/m$k.csv" --report none 2> "$work/m$k.err" &
  generators+=($!)
done
for pid in "${generators[@]}"; do wait "$pid" || true; done
kill "$link" && wait "$link" || true
tail -1 "$work/link"

files=(); for k in $(seq "$machines"); do files+=("$work/m$k.json"); done
dotnet "$plait" merge "${files[@]}" --json "$work/whole.json" > "$work/merged.txt" || true
COLUMNS=200 grep '^note:' -A2 "$work/merged.txt" || true
python3 - "$work" "$machines" "${skews[@]}" << 'PY'
import csv, json, math, re, sys
work, machines, skews = sys.argv[1], int(sys.argv[2]), [int(s) for s in sys.argv[3:]]
whole = json.load(open(f"{work}/whole.json"))["outcome"]
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
due = [s["due"] for s in whole["seconds"]]
print("due in each second of the whole:", due)
print("clocks that are apart:", [s / 1e9 for s in skews[1 : machines + 1]], "s")
sys.exit(bad > 0)
PY
