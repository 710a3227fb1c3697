# shellcheck shell=bash
# Locks for scripts of this tree that run at the same time and use the same files.

: "${tools_state:?}"

# one_at_a_time NAME COMMAND…: waits while another script of this tree runs a command under this name.
one_at_a_time() {
    local lock status=0
    mkdir -p "$tools_state"
    exec {lock}>"$tools_state/$1.lock"
    shift
    flock "$lock"
    # A service that starts meanwhile must not keep the lock.
    "$@" {lock}>&- || status=$?
    exec {lock}>&-
    return "$status"
}
