#!/usr/bin/env bash
# Installs the servers that tests attack from Debian's packages, if they are missing: all, or those of the arguments, each PROGRAM:PACKAGE.
# It always ends with 0: without a server, its tests are skipped. Packages start their services, which listen on public ports: a
# policy forbids that while they are installed, and no service is left enabled.
set -uo pipefail
policy=${PLAIT_POLICY:-/usr/sbin/policy-rc.d}
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin
# apache2-bin has no service
wanted=(nginx:nginx haproxy:haproxy apache2:apache2-bin node:nodejs)
[ $# -eq 0 ] || wanted=("$@")

missing=()
for each in "${wanted[@]}"; do
  command -v "${each%%:*}" > /dev/null || missing+=("${each#*:}")
done
[ ${#missing[@]} -gt 0 ] || exit 0

give_up() {
  echo "$1 could not be installed ($2): the tests that attack it are skipped"
}

folder=$(dirname "$policy")
if ! command -v apt-get > /dev/null || [ ! -w "$folder" ]; then
  give_up "${missing[*]}" "apt-get is missing, or $folder is not writable"
  exit 0
fi

trap 'exit 1' HUP INT TERM
trap 'rm -f "$policy"; [ ! -e "$policy.before" ] || mv "$policy.before" "$policy"' EXIT
# an earlier run that was killed has left its own policy and kept the machine's
[ ! -e "$policy" ] || [ -e "$policy.before" ] || mv "$policy" "$policy.before"
printf '#!/bin/sh\nexit 101\n' > "$policy"
chmod 755 "$policy"

export DEBIAN_FRONTEND=noninteractive
apt-get update -q > /dev/null 2>&1
for package in "${missing[@]}"; do
  if apt-get install -y -q --no-install-recommends -o DPkg::Lock::Timeout=120 "$package" > /dev/null 2>&1; then
    systemctl disable "$package" > /dev/null 2>&1 || update-rc.d "$package" disable > /dev/null 2>&1
  else
    give_up "$package" "apt-get install failed"
  fi
done
exit 0
