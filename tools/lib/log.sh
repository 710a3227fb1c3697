# shellcheck shell=bash
# Messages, and a check that the caller uses strict mode. Sourced by every script under tools/.

set -euo pipefail

# say TEXT: reports progress on standard error, because standard output is for results.
say() { printf '%s\n' "$*" >&2; }

# warn TEXT: something is missing, but the script continues.
warn() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

# fail TEXT: says what is wrong and what to do, then exits.
fail() {
    warn "$@"
    exit 1
}

# usage_error TEXT
usage_error() {
    warn "$* (--help tells the options)"
    exit 2
}

# quietly LOG COMMAND…: writes the output to a file, and shows its end if the command fails.
quietly() {
    local log=$1 status=0
    shift
    "$@" >"$log" 2>&1 </dev/null || status=$?
    if ((status != 0)); then
        tail -n 40 "$log" >&2
        warn "this failed with status $status: $*"
        warn "everything it printed is in $log"
    fi
    return "$status"
}
