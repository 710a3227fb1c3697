# shellcheck shell=bash
# Messages, and a check that the caller is strict. Sourced by every script under tools/.

set -euo pipefail

# say TEXT: what is being done, on standard error, so that standard output stays the results'.
say() { printf '%s\n' "$*" >&2; }

# warn TEXT: something is missing, and the script goes on.
warn() { printf '%s: %s\n' "$(basename "$0")" "$*" >&2; }

# fail TEXT: what is wrong and what to do, then the end.
fail() {
    warn "$@"
    exit 1
}

# usage_error TEXT
usage_error() {
    warn "$* (--help tells the options)"
    exit 2
}

# quietly LOG COMMAND…: the output goes to a file, whose end is shown if the command fails.
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
