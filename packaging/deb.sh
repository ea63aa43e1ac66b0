#!/usr/bin/env bash
# Makes the Debian package of a program that is built already, and prints its path. Needs cargo-deb.
#   packaging/deb.sh TARGET PROGRAM [OPTION of cargo-deb]...
set -euo pipefail

target=$1 program=$(realpath "$2")
shift 2
cd "$(dirname "${BASH_SOURCE[0]}")/.."
packaging/assets.sh "$program" target/packaging
install -m 755 "$program" target/packaging/cnflint
cargo deb --no-build --no-strip --locked --target "$target" "$@"
