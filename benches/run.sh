#!/bin/sh
# Times cnflint: one file against my_print_defaults, ten thousand files, and the instructions of a run.
#
#   benches/run.sh [MY_PRINT_DEFAULTS]
#
# Builds the static release binary, unless CNFLINT names one. Without an argument, my_print_defaults is taken from the PATH or
# from CNFLINT_SERVERS; without any, there is no ratio. Instruction counts need valgrind.
set -eu
cd "$(dirname "$0")/.."

target=x86_64-unknown-linux-gnu
if [ -z "${CNFLINT:-}" ]; then
    RUSTFLAGS="-C target-feature=+crt-static" cargo build --release --target "$target"
    CNFLINT=target/$target/release/cnflint
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
rustc -O --edition 2024 -o "$work/speed" benches/speed.rs

reference=${1:-$(command -v my_print_defaults || true)}
for one in "${CNFLINT_SERVERS:-/nowhere}"/mariadb-10.11/root/usr/bin/my_print_defaults; do
    [ -n "$reference" ] || [ ! -x "$one" ] || reference=$one
done
[ -z "$reference" ] || "$reference" --version | head -n 1

quiet=benches/quiet.cnf
long=benches/long.cnf
known="--server mariadb-10.11.19 --ram 16G --cpus 4 --disk ssd"

echo "== size: $(wc -c <"$CNFLINT") bytes"
echo "== one quiet file, every rule"
"$work/speed" "$CNFLINT" "$quiet" $reference
echo "== a long file with many findings"
"$work/speed" "$CNFLINT" "$long" $reference

echo "== ten thousand files"
mkdir "$work/many"
number=0
while [ $number -lt 100 ]; do
    mkdir "$work/many/$number"
    number=$((number + 1))
done
find fixtures/real -name '*.cnf' -o -name '*.ini' | sort >"$work/sources"
number=0
while [ $number -lt 10000 ]; do
    while [ $number -lt 10000 ] && read -r source; do
        { cat "$source"; echo "# host $number"; } >"$work/many/$((number % 100))/$number.cnf"
        number=$((number + 1))
    done <"$work/sources"
done
"$work/speed" "$CNFLINT" --many "$work/many"
"$work/speed" "$CNFLINT" --many --server mariadb-10.11.19 "$work/many"
"$work/speed" "$CNFLINT" --many --format json "$work/many"

if command -v valgrind >/dev/null; then
    echo "== instructions"
    count() {
        found=$(valgrind --tool=callgrind --callgrind-out-file=/dev/null "$CNFLINT" "$@" 2>&1 >/dev/null | sed -n 's/.*Collected : //p')
        echo "$found: cnflint $*"
    }
    count --version
    count "$quiet"
    # The words of $known are arguments of their own.
    # shellcheck disable=SC2086
    {
        count "$quiet" $known
        count "$long" $known
        count "$long" $known --format json
        count "$long"
    }
fi
