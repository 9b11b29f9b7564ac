#!/usr/bin/env bash
# The cost of threads and of varied requests for the load generator, against a server in C that does nothing: two threads beside one,
# and requests with variables beside fixed ones. In turn (A B B A), PAIRS times; needs gcc and a built tool (make tool).
set -euo pipefail
cd "$(dirname "$0")/.."
pairs=${PAIRS:-5}
plait=${PLAIT:-artifacts/bin/Plait.Tool/release/plait}
work=$(mktemp -d)
trap 'kill "$server" 2>/dev/null || true; rm -rf "$work"' EXIT

cat >"$work/server.c" <<'C'
// One thread, epoll, the same response to every read that ends a head.
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>
static const char response[] = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
int main(void) {
  int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1, epoll = epoll_create1(0);
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t length = sizeof at;
  if (bind(listener, (void *)&at, sizeof at) || listen(listener, 4096)) return 1;
  getsockname(listener, (void *)&at, &length);
  printf("%d\n", ntohs(at.sin_port));
  fflush(stdout);
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, events[256];
  epoll_ctl(epoll, EPOLL_CTL_ADD, listener, &event);
  char buffer[16384];
  for (;;) {
    int count = epoll_wait(epoll, events, 256, -1);
    for (int i = 0; i < count; i++) {
      int fd = events[i].data.fd;
      if (fd == listener) {
        int peer = accept(listener, 0, 0);
        if (peer < 0) continue;
        setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        event.data.fd = peer;
        epoll_ctl(epoll, EPOLL_CTL_ADD, peer, &event);
      } else {
        ssize_t read_ = read(fd, buffer, sizeof buffer);
        if (read_ <= 0) close(fd);
        else if (read_ >= 4 && !memcmp(buffer + read_ - 4, "\r\n\r\n", 4))
          if (write(fd, response, sizeof response - 1) < 0) close(fd);
      }
    }
  }
}
C
gcc -O2 -o "$work/server" "$work/server.c"
"$work/server" >"$work/port" &
server=$!
until [ -s "$work/port" ]; do sleep 0.1; done
url=http://127.0.0.1:$(cat "$work/port")

attack() { "$plait" attack "$@" --no-calibration --report json 2>/dev/null || true; }
rate() { attack "$@" | node -pe 'JSON.parse(require("fs").readFileSync(0)).outcome.rightPerSecond'; }
lag() { attack "$@" | node -pe 'const o = JSON.parse(require("fs").readFileSync(0)).outcome; [o.rightPerSecond, ...[50, 99].map(p => o.ownLag.percentiles.find(x => x[0] == p)[1] / 1000)].join(" ")'; }

compare() { # name, figures of the one, figures of the other: the medians and their ratio
  node -e '
    const [name, one, other] = process.argv.slice(1)
    const list = text => text.trim().split(/\s+/).map(Number).sort((a, b) => a - b)
    const middle = values => values[Math.floor(values.length / 2)]
    const a = list(one), b = list(other)
    console.log(`${name}: ${middle(a).toFixed(1)} beside ${middle(b).toFixed(1)}, ratio ${(middle(a) / middle(b)).toFixed(3)}  [${a.map(v => v.toFixed(1))}] [${b.map(v => v.toFixed(1))}]`)' "$@"
}

two=; one=
varied=; fixed=
for ((i = 0; i < pairs; i++)); do
  turn() { if [ "$1" = a ]; then two+=" $(rate "$url/" --connections 64 --duration 2s --threads 2)"; else one+=" $(rate "$url/" --connections 64 --duration 2s)"; fi; }
  if ((i % 2)); then turn a; turn b; else turn b; turn a; fi
done
compare "requests/s, two threads beside one" "$two" "$one"

# The most that two threads can reach on this machine: the server has its share of the same cores.
if command -v wrk >/dev/null; then
  two=; one=
  threads() { wrk "-t$1" -c64 -d2s "$url/" | awk '/Requests\/sec/ { print $2 }'; }
  for ((i = 0; i < pairs; i++)); do
    turn() { if [ "$1" = a ]; then two+=" $(threads 2)"; else one+=" $(threads 1)"; fi; }
    if ((i % 2)); then turn a; turn b; else turn b; turn a; fi
  done
  compare "the same of wrk" "$two" "$one"
fi

for ((i = 0; i < pairs; i++)); do
  turn() { if [ "$1" = a ]; then varied+=" $(rate "$url/{{seq}}?u={{uuid}}" --connections 64 --duration 2s)"; else fixed+=" $(rate "$url/0?u=00000000-0000-0000-0000-000000000000" --connections 64 --duration 2s)"; fi; }
  if ((i % 2)); then turn a; turn b; else turn b; turn a; fi
done
compare "requests/s, varied beside fixed, closed" "$varied" "$fixed"

va= vb= vc= fa= fb= fc=
for ((i = 0; i < pairs; i++)); do
  turn() {
    if [ "$1" = a ]; then read -r x y z < <(lag "$url/{{seq}}?u={{uuid}}" --rate 5000 --duration 2s); va+=" $x"; vb+=" $y"; vc+=" $z"
    else read -r x y z < <(lag "$url/0?u=00000000-0000-0000-0000-000000000000" --rate 5000 --duration 2s); fa+=" $x"; fb+=" $y"; fc+=" $z"; fi
  }
  if ((i % 2)); then turn a; turn b; else turn b; turn a; fi
done
compare "requests/s, varied beside fixed, 5,000/s" "$va" "$fa"
compare "own lag p50 in microseconds, varied beside fixed" "$vb" "$fb"
compare "own lag p99 in microseconds, varied beside fixed" "$vc" "$fc"
