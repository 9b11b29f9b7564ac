#!/usr/bin/env bash
# build/test.sh test | more: builds and runs the tests of `make test` or of `make test-more`, and ends with one line for all of
# them together. Tests that start processes and wait for them are built first and run while the rest is built. Four jobs run at a
# time, the build among them: tests of processes wait for half of their time, and leave the cores to jobs that compute.
#
# The list below says where each test runs. A test program that stands in both suites is divided by a trait: tests with
# [<Trait("run", "more")>], on themselves or their module, are run by `make test-more`, and all others by `make test`. The tests of the
# library are built in other configurations for `make test-more`; Others is Release with the builders that `make test` leaves out.
#
# build/test.sh test PART: the same of one part of the list, of which it builds the test programs and the programs that those start.
set -uo pipefail
cd "$(dirname "$0")/.."
suite=${1:-test}
part=${2:-}

# suite  part of `make test PART=`  built by  job, the longest first
list() {
  cat <<'END'
test  doctor      processes  run Plait.Doctor.Tests release
test  lab         processes  run Plait.Lab.Tests release
test  load        processes  run Plait.Load.Tests release
test  tool        processes  run Plait.Tool.Tests release
test  page        processes  run Plait.Page.Tests release
test  library     test       run Plait.Tests release
test  check       test       run Plait.Check.Tests release
test  repository  test       run Plait.Repository.Tests release
test  library     test       run Plait.Explorer release
test  library     test       run Plait.ThreadPool.Tests release
test  library     test       run Plait.Tests.CSharp release
test  library     test       run Plait.Allocation.Tests release
test  report      processes  run Plait.Report.Tests release
test  lab         test       check bytes dotnet artifacts/bin/Plait.Tool/release/plait.dll lab check bench/bytes.budget.json
more  -           processes  run Plait.Doctor.Tests release
more  -           processes  run Plait.Page.Tests release
more  -           more       check dotnet11 build/fsharp11/test.sh runtime-async
more  -           more       check dotnet11-library build/fsharp11/test.sh library language
more  -           more       run Plait.Lab.Tests release
more  -           more       run Plait.Repository.Tests release
more  -           more       run Plait.Check.Tests release
more  -           more       run Plait.Tool.Tests release
more  -           more       run Plait.Load.Tests release
more  -           more       run Plait.Explorer release
more  -           more       run Plait.Tests release
more  -           more       run Plait.Tests others
more  -           more       run Plait.Allocation.Tests others
more  -           more       run Plait.Tests debug
more  -           more       run Plait.Tests debuginline
more  -           more       run Plait.Tests.CSharp debug
more  -           more       run Plait.Tests.CSharp debuginline
more  -           more       check sources dotnet artifacts/bin/Plait.Tool/release/plait.dll check src/Plait src/Plait.ThreadPool src/Plait.Check src/Plait.Common src/Plait.Doctor src/Plait.Http2 src/Plait.Lab src/Plait.Lab.Contracts src/Plait.Load src/Plait.Report src/Plait.Tool --framework net10.0
more  -           more       check machines env MACHINES=2 SECONDS_EACH=3 bench/attack-machines.sh
more  -           more       check trim build/check-trim.sh
more  -           more       check aot build/check-aot.sh
more  -           more       check packages make -s pack
END
}

case $suite in
  test | more) ;;
  *) echo "build/test.sh takes test or more, not '$suite'" >&2; exit 2 ;;
esac
if [ -n "$part" ] && [ "$suite" = more ]; then
  echo "make test-more takes no PART: build with 'make test PART=$part', then run its programs with --filter-trait run=more" >&2
  exit 2
fi
parts=$(list | awk '$1 == "test" { print $2 }' | sort -u | paste -sd ' ')
if [ -n "$part" ] && ! [[ " $parts " == *" $part "* ]]; then
  echo "the tests have no part '$part': PART is one of ${parts// /, }" >&2
  exit 2
fi

# The rows that run. A part of the list is one stage of the build.
rows() {
  list | awk -v suite="$suite" -v part="$part" '$1 == suite && (part == "" || $2 == part) { if (part != "") $3 = "part"; print }'
}

# The projects of the part, for build/Together.proj.
projects() {
  local program
  for program in $(rows | awk '$4 == "run" { print $5 }'); do printf '%%3B../%s' tests/"$program"/*.*proj; done
}
logs=artifacts/test-logs/$suite
rm -rf "$logs" && mkdir -p "$logs"
# where several programs share the cores, threads of the pool that spin while they wait take them from those that work
export DOTNET_ThreadPool_UnfairSemaphoreSpinLimit=0
# most processes of the tests are over before code that was compiled twice pays
export DOTNET_TieredPGO=0
# a command in the background of a shell ignores Ctrl-C, and tests send it
signals=
env --default-signal=INT true 2>/dev/null && signals='env --default-signal=INT'

# A command with its output in a log, and beside it the seconds of processor time of the command and its children, in a
# subshell: the time of a shell includes every background job that ends meanwhile. For a build that is too little: MSBuild does
# not wait for the processes that it builds with.
used() { # log command
  local log=$1 code=0 TIMEFORMAT='%U %S'
  shift
  (time "$@" >"$log" 2>&1) 2>"$log.cpu" || code=$?
  return "$code"
}

processor() { awk 'END { printf "%.0f", $1 + $2 }' "$1.cpu" 2>/dev/null; }

report() { # name configuration log passed failed skipped seconds: one line, and the counts for the total
  printf '%-26s %-12s %5d passed, %d failed, %d skipped %5d s, %4s s of processor\n' "$1" "$2" "$4" "$5" "$6" "$7" "$(processor "$3")"
  echo "$4 $5 $6" >"$3.count"
}

# which tests of a program this suite runs; the cases of a theory may have marks of their own
chosen() { # configuration
  case $suite-$1 in
    test-*) echo '--pre-enumerate-theories on --filter-not-trait run=more' ;;
    more-release) echo '--pre-enumerate-theories on --filter-trait run=more' ;;
    more-others) echo '--pre-enumerate-theories on --filter-trait over=builders' ;;
  esac
}

# An exploration runs one thread at a time, and a hand-over to another core costs the kernel most: the explorer has the first core that
# is allowed, where a core can be chosen.
one_core=
core=$(taskset -cp $$ 2>/dev/null | sed -n 's/.*: *\([0-9][0-9]*\).*/\1/p')
[ -z "$core" ] || ! taskset -c "$core" true 2>/dev/null || one_core="taskset -c $core"

# a job that runs a compiler in its own process has the settings of compilers
runtime() { # project or name of a check
  case $1 in
    Plait.Explorer) echo "$one_core" ;;
    Plait.Repository.Tests | Plait.Check.Tests | sources) echo "env ${COMPILER_RUNTIME:-}" ;;
  esac
}

# each reason for which tests were skipped, once, and how many tests have it
reasons() { # log
  awk '
    skipped { reason = /^ / ? $0 : "no reason is given"; sub(/^ +/, "", reason); if (!tests[reason]++) order[++found] = reason }
    { skipped = /^skipped / }
    END { for (n = 1; n <= found; n++) printf "    skipped %d: %s\n", tests[order[n]], order[n] }' "$1"
}

run() { # project configuration
  local project=$1 config=$2 dll="artifacts/bin/$1/$2/$1.dll" log="$logs/$1-$2.log" began=$SECONDS code=0 p f s
  if [ -f "$dll" ]; then
    used "$log" $signals $(runtime "$project") dotnet "$dll" --no-progress $(chosen "$config") || code=$?
  else
    echo "not built: $dll" >"$log"
    code=1
  fi
  p=$(sed -n 's/^ *succeeded: \([0-9]*\).*/\1/p' "$log" | tail -1)
  f=$(sed -n 's/^ *failed: \([0-9]*\).*/\1/p' "$log" | tail -1)
  s=$(sed -n 's/^ *skipped: \([0-9]*\).*/\1/p' "$log" | tail -1)
  # a run that died has no summary; one that failed has its reasons
  [ "$code" -eq 0 ] || [ "${f:-0}" -gt 0 ] || f=1
  {
    report "$project" "$config" "$log" "${p:-0}" "${f:-0}" "${s:-0}" $((SECONDS - began))
    if [ "$code" -ne 0 ]; then
      echo "exit code $code"
      grep '^failed ' "$log"
      grep -v '^ *at ' "$log" | tail -n 120
    fi
    reasons "$log"
  } >"$log.said"
  cat "$log.said"
}

check() { # name command: passes or fails as a whole; one whose last line says "not available: REASON" and that ends well is skipped
  local name=$1 log="$logs/$1.log" began=$SECONDS passed=1 failed=0 skipped=0
  shift
  used "$log" $(runtime "$name") "$@" || failed=1
  ! tail -n 1 "$log" | grep -qE '^([a-z ]+: )?not available: ' || skipped=1
  [ "$failed" -eq 0 ] || skipped=0
  passed=$((1 - failed - skipped))
  {
    report "$name" release "$log" $passed $failed $skipped $((SECONDS - began))
    [ "$passed" -eq 1 ] || cat "$log"
  } >"$log.said"
  cat "$log.said"
}

# Programs whose tests watch other processes from outside, for at most some seconds.
watching=' Plait.Doctor.Tests Plait.Lab.Tests Plait.Load.Tests Plait.Page.Tests Plait.Tool.Tests '

# Runs the failed tests of such a program once more, alone, when all jobs are over: a watched process that had no core for seconds
# says nothing of the test. If all of them pass then, they count as passed and are named as unsteady. More than five are no accident.
again() { # count
  local log=${1%.count} name program config alone p f s
  alone=${log%.log}-alone.log
  name=$(basename "$log" .log) program=${name%-*} config=${name##*-}
  [[ "$watching" == *" $program "* ]] || return 0
  mapfile -t names < <(sed -nE 's/^failed ([^(]*[^( ]) *\(.*/\1*/p' "$log" | sort -u)
  [ ${#names[@]} -gt 0 ] && [ ${#names[@]} -le 5 ] || return 0
  used "$alone" $signals dotnet "artifacts/bin/$program/$config/$program.dll" --no-progress $(chosen "$config") \
    --filter-method "${names[@]}" || return 0
  read -r p f s <"$1"
  echo "$((p + f)) 0 $s" >"$1"
  grep '^failed ' "$log" | sed 's/^failed/unsteady: failed beside other jobs, passed alone:/' | tee -a "$logs/unsteady"
}

# Of each failed test, its name and the first three lines of its message. A check, and a program that died, has no names of tests:
# it stands for itself, with the last three lines of its log.
failures() { # logs
  local log
  for log in "$@"; do
    if grep -q '^failed ' "$log"; then
      grep -v '^ *at \|^ *$' "$log" | awk '/^failed / { print; left = 3; next } !/^  / { left = 0 } left > 0 { print; left-- }'
    else
      echo "failed $(basename "$log" .log)"
      tail -n 3 "$log" | sed 's/^/  /'
    fi
  done | cut -c 1-300
}

# At most 40 lines: where the messages are too long for that, the names alone.
shortened() {
  awk '
    { lines[NR] = $0 }
    /^failed / { names[++failed] = $0 }
    END {
      if (NR <= 40) for (n = 1; n <= NR; n++) print lines[n]
      else {
        for (n = 1; n <= failed && n < 40; n++) print names[n]
        if (failed >= 40) print "and " failed - 39 " more that failed"
      }
    }'
}

# A step of the build. One that fails leaves its words in a log as a check does, and nothing is begun after it.
step() { # name command
  local name=$1 log="$logs/build-$1.log"
  shift
  if used "$log" "$@"; then
    cat "$log"
  else
    check "build: $name" cat_and_fail "$log"
    touch "$logs/not-built"
    return 1
  fi
}

# The toolchain of .NET 11 and the package for it, where the feed has their packages.
dotnet11() {
  local code=0
  build/fsharp11/make.sh || code=$?
  [ "$code" -ne 3 ] || return 0
  [ "$code" -eq 0 ] && env ${COMPILER_RUNTIME:-} dotnet build src/Plait.RuntimeAsync -c Release -v q --nologo -nodeReuse:false
}

cat_and_fail() {
  cat "$1"
  return 1
}

# The results page and the restore, which wait for the network, then the stages in the order of the list.
build() {
  local of= page beside= began=$SECONDS msbuild='-p:Configuration=Release -v:q -nologo -nodeReuse:false'
  step page make -s -j2 web judge &
  page=$!
  if [ -n "$part" ]; then
    of=part
    msbuild="$msbuild -p:TestsOf=$part -p:Tests=$(projects)"
  fi
  step restore dotnet msbuild build/Together.proj -t:Restore -p:Of="${of:-$suite}" $msbuild || return
  wait "$page" || return
  for of in "$@"; do
    # the lab's candidates of .NET 11, and the checker's table of its package, are tested where it can be made
    [ "$of" != more ] || { step dotnet11 dotnet11 & beside=$!; }
    step "$of" env ${COMPILER_RUNTIME:-} dotnet msbuild build/Together.proj -m -p:Of="$of" $msbuild || return
    [ -z "$beside" ] || wait "$beside" || return
    printf '%-39s %37d s, %4s s of processor\n' "built: $of" $((SECONDS - began)) "$(processor "$logs/build-$of.log")"
    touch "$logs/built-$of"
  done
}

build $(rows | awk '!seen[$3]++ { print $3 }') </dev/null &

while read -r _ _ needs job; do
  until [ -e "$logs/built-$needs" ]; do
    [ ! -e "$logs/not-built" ] || break 2
    sleep 0.2
  done
  while [ "$(jobs -rp | wc -l)" -ge 4 ]; do wait -n; done
  $job </dev/null &
done < <(rows)
wait
for count in "$logs"/*.count; do
  [ "$(cut -d ' ' -f 2 "$count")" -eq 0 ] || again "$count"
done

read -r passed failed skipped < <(cat "$logs"/*.count | awk '{ p += $1; f += $2; s += $3 } END { print p + 0, f + 0, s + 0 }')
echo "$passed $failed $skipped" >"$logs/total"
# the ends of the logs with a failure once more, and last what failed in all of them
failed_logs=()
for count in "$logs"/*.count; do
  [ "$(cut -d ' ' -f 2 "$count")" -gt 0 ] || continue
  failed_logs+=("${count%.count}")
  sed '/^    skipped/,$d' "${count%.count}.said" | tail -n 60
done
[ "$failed" -eq 0 ] || { echo; failures "${failed_logs[@]}" | shortened; }
echo "$passed passed, $failed failed, $skipped skipped"
[ "$failed" -eq 0 ] && [ "$passed" -gt 0 ]
