#!/bin/sh
# own_system.sh DIRECTORY COMMAND...
#
# Runs a command on this system, with copies of /etc, /usr and /var that nobody else sees and that are gone afterwards, in which
# cnflint ($CNFLINT) is installed and there is an /etc/mysql. Called by itself in the namespace.
set -eu
if [ "${OWN_SYSTEM:-}" != "$1" ]; then
  OWN_SYSTEM=$1 exec unshare -rm "$0" "$@"
fi
mount -t tmpfs tmpfs "$1"
for directory in etc usr var; do
  mkdir "$1/$directory" "$1/$directory.work"
  mount -t overlay overlay -o "lowerdir=/$directory,upperdir=$1/$directory,workdir=$1/$directory.work" "/$directory"
done
shift
cp "$CNFLINT" /usr/bin/cnflint
mkdir -p /etc/mysql/conf.d
printf '[mysqld]\nport = 3306\n!includedir /etc/mysql/conf.d/\n' >/etc/mysql/my.cnf
exec "$@"
