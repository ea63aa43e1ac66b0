#!/usr/bin/env bash
# Writes what packages install beside the program: completions, manual pages, the changelog.
#   packaging/assets.sh PROGRAM DIRECTORY
set -euo pipefail

program=$(realpath "$1")
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
mkdir -p "$2/man"
cd "$2"
for shell in bash zsh fish; do "$program" completions "$shell" >"cnflint.$shell"; done
"$program" man >man/cnflint.1
for command in check effective explain rules facts init completions; do
  "$program" man "$command" >"man/cnflint-$command.1"
done
# Without times in them, so that the same source makes the same package.
gzip -n9 -f man/*.1
gzip -n9 <"$repository/CHANGELOG.md" >changelog.gz
