# shellcheck shell=sh
# SPDX-License-Identifier: Apache-2.0
#
# Read by ./thalweg in a source tree, and by the scripts that measure there: one builds at a time, and nobody while something is measured
# with what is built. They set root, the source tree, and have say, which tells a line; java_home names the Java of the build.
work=$root/cli/target/fast
maven='' tether=''

# When a process started: its number may be another's by now. One that has ended, and that nobody has asked how, has not started.
started_at() {
  if [ -r "/proc/$1/stat" ]; then
    sed -n 's/.*) \([^ZX]\)/\1/p' "/proc/$1/stat" 2>/dev/null | cut -d ' ' -f 20
  else
    ps -o lstart= -p "$1" 2>/dev/null | tr -s ' ' '_'
  fi
}

# Names a process so that lives knows it again: NUMBER@START.
named_process() { printf '%s@%s' "$1" "$(started_at "$1")"; }

# Does the process of that name still run?
lives() { [ -n "${1#*@}" ] && [ "${1#*@}" = "$(started_at "${1%%@*}")" ]; }

# Is something measured with what is built here? Sets measurer.
measured() {
  for mark in "$work"/measures-*; do
    measurer=$(readlink "$mark" || true)
    if lives "$measurer"; then return 0; fi
    rm -f "$mark"
  done
  return 1
}

# Marks this process, which will be Java's, as one that measures: until it ends nobody builds here, which would replace its jars, and take
# its cores. Who builds already ends first; then does what the arguments say, because that one may have failed.
measure() {
  mark=$work/measures-$$
  while ln -sf "$(named_process "$$")" "$mark" 2>/dev/null; do
    builder=$(readlink "$work/lock" || true)
    lives "$builder" || return 0
    rm -f "$mark"
    say "waits for another build, process ${builder%%@*}, to end."
    while [ "$(readlink "$work/lock" || true)" = "$builder" ] && lives "$builder"; do sleep 1; done
    "$@"
  done
}

# One build at a time: the link holds the name of the process that builds. One that was killed may have left its Maven, for a moment.
lock() {
  waited='' missed=0
  until ln -s "$(named_process "$$")" "$work/lock" 2>/dev/null; do
    builder=$(readlink "$work/lock" || true)
    if [ -z "$builder" ]; then
      missed=$((missed + 1)) # It has gone since; or, time and again, none can be made.
      if [ "$missed" -gt 100 ]; then
        say "must build, and cannot make the link that keeps others from it: $(ln -s "$$" "$work/lock" 2>&1)"
        exit 1
      fi
    elif ! lives "$builder"; then
      # Another one may have taken its place since: that stays.
      mv "$work/lock" "$work/lock-$$" 2>/dev/null || continue
      moved=$(readlink "$work/lock-$$" || true)
      rm -f "$work/lock-$$"
      [ "$moved" = "$builder" ] || ln -s "$moved" "$work/lock" 2>/dev/null || true
    else
      [ -n "$waited" ] || say "waits for another build, process ${builder%%@*}, to end."
      waited=yes
      sleep 1
    fi
  done
  trap 'end_maven; rm -f "$work/lock"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM
  for left in "$work"/mvnw-*; do
    while lives "$(readlink "$left" || true)"; do sleep 1; done
    rm -f "$left"
  done
}

unlock() {
  rm -f "$work/lock"
  trap - EXIT INT TERM
}

# Waits, with the lock, for who measures.
await_measured() {
  waited=''
  while measured; do
    [ -n "$waited" ] || say "must build $1, and waits for process ${measurer%%@*}, which measures what is built here, to end."
    waited=yes
    sleep 2
  done
}

# Runs Maven, with the lock. It ends with this process, even if that is killed: another one looks whether it lives, from before Maven
# starts, and ends the one that the link names. The link is this process's own: when it has been killed, the next one may build already.
maven() {
  self=$(named_process "$$")
  link=$work/mvnw-$$
  rm -f "$link"
  (
    while lives "$self"; do sleep 1; done
    builds=$(readlink "$link" || true)
    if lives "$builds"; then kill "${builds%%@*}"; fi
  ) </dev/null >/dev/null 2>&1 &
  tether=$!
  (
    own=$(exec sh -c 'echo "$PPID"')
    ln -sf "$(named_process "$own")" "$link"
    lives "$self" || exit
    cd "$root" || exit
    if [ -n "${java_home:-}" ]; then export JAVA_HOME="$java_home"; fi
    HOME=${HOME:-$work} exec ./mvnw -B -q "$@"
  ) </dev/null &
  maven=$!
  ended=0
  wait "$maven" || ended=$?
  maven=''
  end_maven
  return "$ended"
}

end_maven() {
  for child in $tether $maven; do
    kill "$child" 2>/dev/null || true
    wait "$child" 2>/dev/null || true
  done
  maven='' tether=''
  rm -f "$work/mvnw-$$"
}

# For scripts that measure: builds what the arguments of Maven say, and marks this process as one that measures before others may build.
build_and_measure() {
  mkdir -p "$work"
  lock
  await_measured 'what it measures'
  maven "$@"
  ln -sf "$(named_process "$$")" "$work/measures-$$"
  unlock
}
