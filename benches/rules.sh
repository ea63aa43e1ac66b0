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
    RUSTFLAGS="-C target-feature=+crt-static" cargo build --quiet --release --target "$target" "$@"
}
if [ -z "${CNFLINT:-}" ]; then
    build
    CNFLINT=target/$target/release/cnflint
fi
if [ -z "${CNFLINT_NO_RULES:-}" ]; then
    CNFLINT_WITHOUT_RULES=1 build --target-dir target/without-rules
    CNFLINT_NO_RULES=target/without-rules/$target/release/cnflint
fi

count() {
    valgrind --tool=callgrind --callgrind-out-file=/dev/null "$@" 2>&1 >/dev/null | sed -n 's/.*Collected : //p'
}
rules=$("$CNFLINT" rules --format json | grep -c '"id":')
failed=0
for known in "--server mariadb-10.11.19" "--server mariadb-10.11.19 --ram 16G --cpus 4 --disk ssd" \
    "--server mysql-9.7.4 --ram 16G --cpus 4 --disk ssd" "--server mysql-5.6.24 --ram 16G --cpus 4 --disk ssd"; do
    # The words of $known are arguments of their own.
    # shellcheck disable=SC2086
    all=$(count "$CNFLINT" benches/quiet.cnf $known)
    # shellcheck disable=SC2086
    none=$(count "$CNFLINT_NO_RULES" benches/quiet.cnf $known)
    each=$(((all - none) / rules))
    echo "$each instructions a rule ($rules rules, $all in all, $none without): $known"
    [ "$each" -le 1000 ] || failed=1
done
exit $failed
