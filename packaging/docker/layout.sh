#!/usr/bin/env bash
# Lays out the static programs of a release's archives as the Dockerfile takes them: CONTEXT/amd64/cnflint, CONTEXT/arm64/cnflint.
#   packaging/docker/layout.sh VERSION DIRECTORY CONTEXT
set -euo pipefail

for pair in amd64:x86_64 arm64:aarch64; do
  archive=$2/cnflint-$1-${pair#*:}-unknown-linux-musl.tar.gz
  # One of the two is enough where only one is built.
  [ -e "$archive" ] || continue
  mkdir -p "$3/${pair%:*}"
  tar -xzf "$archive" -C "$3/${pair%:*}" cnflint
done
