#!/usr/bin/env bash
# The steps of action.yml: `run.sh get` finds the program, `run.sh lint` runs it. Inputs come as INPUT_… variables.
# Bash 3.2 has to do, since macOS has no newer one: with `set -u` it takes an empty array for an unset variable.
set -euo pipefail

fail() { # STATUS MESSAGE
  local text=${2//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '::error title=cnflint::%s\n' "${text//$'\n'/%0A}"
  exit "$1"
}

# The runner obeys commands in what a step prints, and a report quotes files: what is printed here is only shown.
show() { # FILE…
  local token
  token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
  printf '::stop-commands::%s\n' "$token"
  cat -- "$@"
  printf '\n::%s::\n' "$token"
}

get() {
  local version=$INPUT_VERSION program
  local home=$RUNNER_TEMP/cnflint
  mkdir -p "$home"
  if [ -z "$version" ]; then
    version=$(sed -n 's/^version = "\(.*\)"$/\1/p' "$GITHUB_ACTION_PATH/Cargo.toml" | head -n 1)
  fi
  if [ "$version" = source ]; then
    [ -z "$INPUT_CHECKSUM" ] || fail 2 'checksum is of a released archive, and version is source'
    cargo install --locked --path "$GITHUB_ACTION_PATH" --root "$home"
    program=$home/bin/cnflint
  elif [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
    download "$version" "$home"
    program=$home/cnflint
  else
    fail 2 "version is an exact release such as 1.2.3, or source, and not '$version'"
  fi
  [ "${RUNNER_OS:-}" != Windows ] || program=$program.exe
  version=$("$program" --version)
  printf 'program=%s\nversion=%s\n' "$program" "${version#cnflint }" >>"$GITHUB_OUTPUT"
}

# Gets the archive of a release and unpacks it, if its SHA-256 is the right one.
download() { # VERSION DIRECTORY
  local target archive wanted found
  case $RUNNER_OS-$RUNNER_ARCH in
    Linux-X64) target=x86_64-unknown-linux-musl ;;
    Linux-ARM64) target=aarch64-unknown-linux-musl ;;
    macOS-X64) target=x86_64-apple-darwin ;;
    macOS-ARM64) target=aarch64-apple-darwin ;;
    # Windows on ARM runs programs for x86-64.
    Windows-*) target=x86_64-pc-windows-msvc ;;
    *) fail 2 "nothing is released for $RUNNER_OS on $RUNNER_ARCH; use version: source" ;;
  esac
  archive=cnflint-$1-$target.tar.gz
  # An action that is used by its path (`uses: ./`) belongs to the repository that runs it.
  local from=$GITHUB_SERVER_URL/${ACTION_REPOSITORY:-$GITHUB_REPOSITORY}/releases/download/v$1
  fetch "$from/$archive" "$2/$archive"
  if [ -n "$INPUT_CHECKSUM" ]; then
    wanted=$INPUT_CHECKSUM
  else
    fetch "$from/$archive.sha256" "$2/$archive.sha256"
    wanted=$(cut -d ' ' -f 1 "$2/$archive.sha256")
  fi
  found=$(sha256 "$2/$archive")
  [ "$found" = "$(printf %s "$wanted" | tr 'A-F' 'a-f')" ] ||
    fail 2 "$archive has the SHA-256 $found, and not $wanted"
  # Windows paths begin with a letter and a colon, which tar would take for the name of a host.
  (cd "$2" && tar -xzf "$archive")
}

fetch() { # URL FILE
  curl --fail --silent --show-error --location --proto '=https' --tlsv1.2 --retry 3 --output "$2" "$1" ||
    fail 2 "cannot get $1"
}

sha256() { # FILE
  # The name is left out of the output, since a backslash in it changes the form of the line.
  if command -v sha256sum >/dev/null; then sha256sum <"$1"; else shasum -a 256 <"$1"; fi | cut -d ' ' -f 1
}

lint() {
  local arguments=() paths=() line
  # Options that would change files, take the report elsewhere, or look at the runner.
  while IFS= read -r line; do
    line=${line%$'\r'}
    case $line in
      '') ;;
      --fix | --diff | --write-baseline | --detect | --format | --format=* | --output | --output=* | --)
        fail 2 "args: $line has no place in this action" ;;
      *) arguments+=("$line") ;;
    esac
  done <<<"$INPUT_ARGS"
  while IFS= read -r line; do
    line=${line%$'\r'}
    [ -z "$line" ] || arguments+=(--facts "$line")
  done <<<"$INPUT_FACTS"
  while IFS= read -r line; do
    line=${line%$'\r'}
    [ -z "$line" ] || paths+=("$line")
  done <<<"$INPUT_PATHS"
  # Without a path cnflint would look for the files that this machine's server reads.
  [ ${#paths[@]} -gt 0 ] || fail 2 'paths: nothing is named'
  option() { [ -z "$2" ] || arguments+=("$1=$2"); }
  option --config "$INPUT_CONFIG"
  option --server "$INPUT_SERVER"
  option --upgrade-to "$INPUT_UPGRADE_TO"
  option --ram "$INPUT_RAM"
  option --cpus "$INPUT_CPUS"
  option --disk "$INPUT_DISK"
  option --require "$INPUT_REQUIRE"
  option --fail-on "$INPUT_FAIL_ON"
  option --baseline "$INPUT_BASELINE"
  case $INPUT_FORMAT in human | short | json) ;; *) fail 2 "format is human, short or json, and not '$INPUT_FORMAT'" ;; esac
  case $INPUT_ANNOTATIONS in true | false) ;; *) fail 2 "annotations is true or false, and not '$INPUT_ANNOTATIONS'" ;; esac
  # The runner reads the outputs line by line.
  case $INPUT_SARIF in *[$'\r\n']*) fail 2 'sarif: the name of one file, in one line' ;; esac

  # The runner is not the database host.
  arguments+=(--no-detect)
  cd "$GITHUB_WORKSPACE"
  work=$(mktemp -d "$RUNNER_TEMP/cnflint.XXXXXX")
  trap 'rm -rf "$work"' EXIT
  cnflint() { "$CNFLINT" check "${arguments[@]}" --format "$1" -- "${paths[@]}" </dev/null; }

  local status=0
  cnflint github >"$work/commands" 2>"$work/stderr" || status=$?
  # GitHub finds a file in a diff by its path from the workspace, without ./ before it.
  sed -nE '/^::(error|warning|notice) /s|^(::[a-z]+ file=)(\./)?|\1|p' "$work/commands" >"$work/annotations"
  cnflint "$INPUT_FORMAT" >"$work/log" 2>/dev/null || true
  cnflint human >"$work/report" 2>/dev/null || true
  show "$work/log" "$work/stderr"
  [ "$INPUT_ANNOTATIONS" = false ] || cat "$work/annotations"

  # With 2 and 3 there is no report; with 4 there is one about the files that could be read.
  if [ "$status" != 2 ] && [ "$status" != 3 ]; then
    {
      printf 'findings=%s\n' "$(count '')"
      printf 'errors=%s\n' "$(count error)"
      printf 'warnings=%s\n' "$(count warning)"
    } >>"$GITHUB_OUTPUT"
    [ -z "$INPUT_SARIF" ] || write_sarif
  fi
  summary "$status" >>"$GITHUB_STEP_SUMMARY"
  case $status in
    0 | 1) exit "$status" ;;
    *) fail "$status" "$(cat "$work/stderr")" ;;
  esac
}

write_sarif() {
  cnflint sarif >"$work/sarif" 2>/dev/null || true
  { mkdir -p -- "$(dirname -- "$INPUT_SARIF")" && cp -- "$work/sarif" "$INPUT_SARIF"; } 2>"$work/refusal" ||
    fail 2 "sarif: $(cat "$work/refusal")"
  printf 'sarif-file=%s\n' "$INPUT_SARIF" >>"$GITHUB_OUTPUT"
}

count() { # SEVERITY, or '' for all
  awk -v command="::$1" 'index($0, command) == 1 { n++ } END { print n + 0 }' "$work/annotations"
}

# GitHub shows ten annotations of each kind for a step, and takes a mebibyte of Markdown: the first 500 findings are in the
# table, and the report is shortened.
summary() { # STATUS
  local fence='~~~~'
  printf '### cnflint\n\n'
  if [ "$1" -gt 1 ]; then
    while grep -qF -- "$fence" "$work/stderr"; do fence+='~'; done
    printf '%s\n' "$fence"; head -c 20000 "$work/stderr"; printf '\n%s\n\n' "$fence"
    [ "$1" = 4 ] || return 0
  fi
  awk -v limit=500 -f "$GITHUB_ACTION_PATH/action/summary.awk" "$work/annotations"
  while grep -qF -- "$fence" "$work/report"; do fence+='~'; done
  printf '<details><summary>The report</summary>\n\n%s\n' "$fence"
  head -c 400000 "$work/report"
  printf '\n%s\n\n</details>\n' "$fence"
}

case ${1:-} in
  get | lint) "$1" ;;
  *) fail 2 'usage: run.sh get|lint' ;;
esac
