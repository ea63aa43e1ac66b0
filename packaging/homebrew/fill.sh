#!/usr/bin/env bash
# Prints the Homebrew formula of a release whose archives are in a directory, each with its SHA-256 beside it.
#   packaging/homebrew/fill.sh VERSION OWNER/REPOSITORY DIRECTORY
set -euo pipefail

text=$(<"$(dirname "${BASH_SOURCE[0]}")/cnflint.rb")
text=${text#*$'\n'}
text=${text//@VERSION@/$1}
text=${text//@REPOSITORY@/$2}
for target in {aarch64,x86_64}-{apple-darwin,unknown-linux-musl}; do
  read -r checksum _ <"$3/cnflint-$1-$target.tar.gz.sha256"
  [[ $checksum =~ ^[0-9a-f]{64}$ ]] || { echo "fill.sh: $target: $checksum is no SHA-256" >&2; exit 1; }
  text=${text//@$target@/$checksum}
done
printf '%s\n' "$text"
