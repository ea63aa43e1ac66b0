#!/bin/sh
# Counts the instructions that a rule costs on a quiet file: the program with every rule against one that was built without any.
# More than 1,000 a rule is a failure. Needs valgrind.
#
#   benches/rules.sh
#
# CNFLINT and CNFLINT_NO_RULES may name the two static release binaries; they are built otherwise.
set -eu
cd "$(dirname "$0")/.."

target=x86_64-unknown-linux-gnu
build() {
    RUSTFLAGS="-C target-feature=+crt-static" cargo build --quiet --release --target "$target"
}
if [ -z "${CNFLINT_NO_RULES:-}" ]; then
    CNFLINT_WITHOUT_RULES=1 build
    CNFLINT_NO_RULES=target/cnflint-without-rules
    cp "target/$target/release/cnflint" "$CNFLINT_NO_RULES"
fi
# The second build is the one that stays.
if [ -z "${CNFLINT:-}" ]; then
    build
    CNFLINT=target/$target/release/cnflint
fi

count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null </dev/null | sed -n 's/.*Collected : //p'
}
rules=$("$CNFLINT" rules --format json | grep -c '"id":')
host="--ram 16G --cpus 4 --disk ssd"
failed=0
while read -r file known; do
    # The words of $known are arguments of their own.
    # shellcheck disable=SC2086
    set -- "benches/$file" $known
    if ! "$CNFLINT" "$@" --fail-on advice >/dev/null </dev/null; then
        echo "benches/$file is not quiet: $known" >&2
        exit 2
    fi
    all=$(count "$CNFLINT" "$@")
    none=$(count "$CNFLINT_NO_RULES" "$@")
    each=$(((all - none) / rules))
    echo "$each instructions a rule ($rules rules, $all in all, $none without): $file $known"
    [ "$each" -le 1000 ] || failed=1
done <<FILES
quiet.cnf --server mariadb-10.11.19
quiet.cnf --server mariadb-10.11.19 $host
quiet-mysql-9.7.cnf --server mysql-9.7.4
quiet-mysql-9.7.cnf --server mysql-9.7.4 $host
quiet-mysql-5.6.cnf --server mysql-5.6.24 $host
FILES
exit $failed
