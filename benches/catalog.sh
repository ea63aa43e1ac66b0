#!/bin/sh
# What the catalog costs a run: the instructions that callgrind counts in src/catalog and in its generated tables, beside those of the whole
# run, and beside a run that never looks into it (--version).
#
#   benches/catalog.sh
#
# Builds a release binary with line tables below target/catalog-cost, unless CNFLINT names a binary with symbols. Needs valgrind.
set -eu
cd "$(dirname "$0")/.."

if [ -z "${CNFLINT:-}" ]; then
    CARGO_PROFILE_RELEASE_STRIP=false CARGO_PROFILE_RELEASE_DEBUG=line-tables-only \
        cargo build --release --target-dir target/catalog-cost
    CNFLINT=target/catalog-cost/release/cnflint
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

count() {
    valgrind --tool=callgrind --callgrind-out-file="$work/out" "$CNFLINT" "$@" >/dev/null 2>&1 || true
    callgrind_annotate --threshold=100 --show-percs=no --tree=none --auto=no "$work/out" >"$work/table"
    # A line is `instructions  file:function [object]`; inlined code keeps the file that it was written in.
    awk -v run="cnflint $*" '
        { gsub(",", "", $1) }
        /PROGRAM TOTALS/ { total = $1 }
        $2 ~ /(^|\/)(src\/catalog\/|catalog_tables\.rs|clients\.rs)/ { catalog += $1 }
        END {
            printf "%9d of %9d instructions (%.2f%%) in the catalog: %s\n", catalog, total, total ? 100 * catalog / total : 0, run
        }' "$work/table"
}

count --version
count benches/quiet.cnf --no-detect
count benches/quiet.cnf --no-detect --server mariadb-10.11.19 --ram 16G --cpus 4 --disk ssd
count benches/long.cnf --no-detect --server mariadb-10.11.19 --ram 16G --cpus 4 --disk ssd
