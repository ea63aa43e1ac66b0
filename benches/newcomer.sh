#!/usr/bin/env bash
# newcomer.sh [REPOSITORY]: how long it takes somebody who has Rust and nothing else of ours from `git clone` to the first finding
# on the screen, by the first command of the README. Needs the network (crates.io), or with CARGO_NET_OFFLINE=true a filled
# ~/.cargo. The build shares nothing with an earlier one.
set -euo pipefail

repository=$(realpath "${1:-$(dirname "$0")/..}")
directory=$(mktemp -d)
trap 'rm -rf "$directory"' EXIT
unset CARGO_TARGET_DIR
seconds() { awk -v from="$1" -v to="$2" 'BEGIN { printf "%.1f s", to - from }'; }

start=$EPOCHREALTIME
git clone --quiet "$repository" "$directory/cnflint"
cloned=$EPOCHREALTIME
cd "$directory/cnflint"
command=$(grep -m 1 '^cargo run ' README.md)
first=
while IFS= read -r line; do
  printf '%s\n' "$line"
  [[ -n $first || ! $line =~ (error|warning|advice)\[ ]] || first=$EPOCHREALTIME
done < <(bash -c "$command" 2>&1)
wait $! || true
[ -n "$first" ] || { echo 'newcomer.sh: no finding was shown' >&2; exit 1; }

printf '\n%s\n' "$command"
printf '%-32s %s\n' 'clone' "$(seconds "$start" "$cloned")" \
  'build, to the first finding' "$(seconds "$cloned" "$first")" 'in all' "$(seconds "$start" "$first")"
# A machine that does other things makes the figures above longer, but not these.
times >"$directory/times"
printf '%-32s %s\n' 'processor time, user and system' "$(tail -n 1 "$directory/times")"
printf '%s processors, load %s, %s\n' "$(nproc)" "$(cut -d ' ' -f 1 /proc/loadavg)" "$(rustc --version)"
