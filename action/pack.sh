#!/usr/bin/env bash
# Packs a built program as an archive that action/run.sh finds in a release, with its SHA-256 beside it.
#   action/pack.sh VERSION TARGET PROGRAM DIRECTORY
set -euo pipefail

name=cnflint-$1-$2.tar.gz
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

cp "$3" "$repository/README.md" "$repository/CHANGELOG.md" "$repository"/LICENSE-* "$work"
mkdir -p "$4"
# From inside, since tar takes the colon of a Windows path for the end of a host's name.
(cd "$work" && tar -czf - -- *) >"$4/$name"
cd "$4"
if command -v sha256sum >/dev/null; then sha256sum "$name"; else shasum -a 256 "$name"; fi >"$name.sha256"
