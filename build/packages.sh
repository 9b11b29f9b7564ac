#!/usr/bin/env bash
# build/packages.sh TESTS PROGRAM:PACKAGE...: installs the packages of Debian whose programs are missing. An argument may name several,
# as a:b,c:d, of which the first that can be installed is enough. TESTS names the tests that are skipped without them, for the message.
# It always ends with 0, and with a line for each package: tests without their program are skipped. Packages start their services,
# which listen on public ports: a policy forbids that while they are installed, and no service is left enabled.
set -uo pipefail
policy=${PLAIT_POLICY:-/usr/sbin/policy-rc.d}
folder=$(dirname "$policy")
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
tests=$1
shift

missing=()
for each in "$@"; do
  for one in ${each//,/ }; do
    command -v "${one%%:*}" > /dev/null && continue 2
  done
  missing+=("$each")
done
[ ${#missing[@]} -gt 0 ] || exit 0

give_up() { # reason, packages
  local reason=$1 each names
  shift
  for each in "$@"; do names=${names:+$names, }${each#*:}; done
  echo "$names could not be installed ($reason): $tests are skipped"
}

if ! command -v apt-get > /dev/null; then
  give_up "this machine has no apt-get" "${missing[@]%%,*}"
  exit 0
fi

if [ ! -w "$folder" ]; then
  give_up "apt-get needs root" "${missing[@]%%,*}"
  exit 0
fi

# one of them at a time: they share the policy
exec 9< "$folder" && flock 9
trap 'exit 1' HUP INT TERM
trap 'rm -f "$policy"; [ ! -e "$policy.before" ] || mv "$policy.before" "$policy"' EXIT
# an earlier run that was killed has left its own policy and kept the machine's
[ ! -e "$policy" ] || [ -e "$policy.before" ] || mv "$policy" "$policy.before"
printf '#!/bin/sh\nexit 101\n' > "$policy"
chmod 755 "$policy"

export DEBIAN_FRONTEND=noninteractive
apt() { apt-get -q -o DPkg::Lock::Timeout=120 -o Acquire::Retries=1 -o Acquire::http::Timeout=20 "$@" 9<&- 2>&1; }

updated=$(apt update)
for each in "${missing[@]}"; do
  reason=
  for one in ${each//,/ }; do
    package=${one#*:}

    if said=$(apt install -y --no-install-recommends "$package"); then
      systemctl disable "$package" > /dev/null 2>&1 || update-rc.d "$package" disable > /dev/null 2>&1
      echo "$package is installed"
      continue 2
    fi

    # without lists of packages, apt-get update has the cause
    reason=${reason:-$(printf '%s\n%s\n' "$updated" "$said" | sed -n 's/^[EW]: //p' | head -1)}
  done
  give_up "${reason:-apt-get install failed}" "${each%%,*}"
done
exit 0
