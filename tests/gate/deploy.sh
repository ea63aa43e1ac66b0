#!/bin/sh
# deploy.sh CANDIDATE PLACE [OPTION of cnflint]...
#
# Puts an option file in its place, unless cnflint is against it: a deploy gate in plain shell. cnflint looks at the
# candidate as if it stood at PLACE, among the other files of this host.
set -eu
candidate=$1 place=$2
shift 2
"${CNFLINT:-cnflint}" "$candidate" --as "$place" "$@" || {
  status=$?
  echo "deploy.sh: cnflint says $status: $place stays as it is" >&2
  exit "$status"
}
cp "$candidate" "$place.new"
mv "$place.new" "$place"
