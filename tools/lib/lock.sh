# shellcheck shell=bash
# Locks for scripts of this tree that run at the same time and use the same files.

: "${tools_state:?}"

# one_at_a_time NAME COMMAND…: waits while another script of this tree runs a command under this name. A command that fails
# within ends the script, as it would without this.
one_at_a_time() {
    local lock status
    mkdir -p "$tools_state"
    exec {lock}>"$tools_state/$1.lock"
    flock --nonblock "$lock" || { say "Waiting until another script of this tree is done ($1)" && flock "$lock"; }
    shift
    # A service that starts meanwhile must not keep the lock.
    "$@" {lock}>&-
    status=$?
    exec {lock}>&-
    return "$status"
}
