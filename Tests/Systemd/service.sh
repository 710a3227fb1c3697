# shellcheck shell=bash
# What the tests of the installed service share. Each test is a script of its own that sources this file first; it runs
# as root in a virtual machine with systemd, after those whose names come before, in an empty folder. It leaves the
# package as it finds it, or needs no other state than this file can make.

# shellcheck source=Tests/Kernel/lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
# The installed programs have to find their libraries themselves.
unset LD_LIBRARY_PATH

readonly packages=/run/lane/packages
readonly drop_ins=/etc/systemd/system/beacond.service.d
readonly configuration=/etc/beacond/beacond.yaml

# need_service: installed, in either version, with the emulated air as its source, active and hearing.
need_service() {
    [[ -n $(installed_version) ]] || install_first
    rm -rf "$drop_ins"
    echo 'sources: [sim]' >"$configuration"
    systemctl daemon-reload
    systemctl reset-failed beacond || true
    systemctl restart beacond
    wait_for 60 "the daemon to rank" ranks
}

install_first() {
    DEBIAN_FRONTEND=noninteractive dpkg --force-confold -i "$packages"/first/beacond_*.deb >dpkg.log 2>&1 ||
        give_up "dpkg -i: $(tail -n 3 dpkg.log)"
}

installed_version() {
    dpkg-query -W -f '${db:Status-Status} ${Version}\n' beacond 2>/dev/null | sed -n 's/^installed //p'
}

# The line of `systemctl status` that the daemon writes.
status_line() { systemctl show -P StatusText beacond; }

ranks() { is_active && [[ $(status_line) == *" in range"* && $(status_line) != *none* ]]; }

is_active() { [[ $(systemctl is-active beacond) == active ]]; }

is_inactive() { [[ $(systemctl is-active beacond) == inactive ]]; }

# main_process [UNIT]
main_process() { systemctl show -P MainPID "${1:-beacond}"; }

# plug_beacon: the service of a beacon, on the adapter of the air.
plug_beacon() {
    printf '%s\n' 'adapter: hci0' 'minor: 1' >/etc/beacond/advertise/lobby.yaml
    systemctl start beacon-advertise@lobby || give_up "$(journalctl -u beacon-advertise@lobby -o cat | tail -n 5)"
}

# is_another_process UNIT PROCESS: the unit runs, with another process than that.
is_another_process() { [[ $(systemctl is-active "$1") == active && $(main_process "$1") != "$2" ]]; }

# is_another_beacon_than PROCESS
is_another_beacon_than() { is_another_process beacon-advertise@lobby "$1"; }

# drop_in NAME: for the unit, from standard input; restarts it.
drop_in() {
    mkdir -p "$drop_ins"
    cat >"$drop_ins/$1.conf"
    systemctl daemon-reload
    systemctl restart beacond
}

# exposure [UNIT]: what systemd-analyze makes of the unit, in tenths.
exposure() {
    systemd-analyze security --no-pager "${1:-beacond}" | sed -n 's/.*Overall exposure level.*: \([0-9]*\)\.\([0-9]\).*/\1\2/p'
}

# own_journal UNIT ARGUMENT…: journalctl of what the process that runs now has written, without those before it.
own_journal() {
    local run
    run=$(systemctl show -P InvocationID "$1")
    # Else it says that there is nothing, which is a line too.
    journalctl --quiet -u "$1" "_SYSTEMD_INVOCATION_ID=${run:-none}" "${@:2}"
}

# logged SINCE TEXT: the service has written it since then (a cursor of journalctl).
logged() { [[ -n $(journalctl -u beacond --after-cursor "$1" -o cat | grep -F -- "$2") ]]; }

# Where the journal is now.
cursor() { journalctl -u beacond -n 0 --show-cursor | sed -n 's/^-- cursor: //p'; }
