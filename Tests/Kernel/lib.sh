# shellcheck shell=bash
# What the tests of the real kernel share. Each test is a script of its own that sources this file first; it runs as
# root in a virtual machine, in an empty folder, and may break what it likes there.
#
#   PROFILE    the profile of the controllers that it is about: pi3, bluetooth5 or extended-only
#   PROGRAMS   the folder with beacond, beaconctl, beacon-advertise and vhci-air
set -euo pipefail

: "${PROFILE:?}" "${PROGRAMS:?}"

# The iBeacon of the well-known Raspberry Pi recipe, as it stands in an advertisement: 30 octets.
# shellcheck disable=SC2034  # for the tests
readonly recipe_payload='02 01 1A 1A FF 4C 00 02 15 63 6F 3F 8F 64 91 4B EE 95 F7 D8 CC 64 A8 63 B5 00 00 00 00 C8'

# show TEXT: what the test shows, in the lane's output.
show() { printf '%s\n' "$*" >&3; }

# give_up TEXT: the test fails, for this reason.
give_up() {
    show "$@"
    exit 1
}

# expect TEXT TEST…: as `expect "five sightings or more" ((count >= 5))` would be, if it could be written.
expect() {
    local what=$1
    shift
    "$@" || give_up "expected: $what"
}

# expect_text FILE TEXT: the file has a line with it.
expect_text() {
    grep -qF -- "$2" "$1" || give_up "expected \"$2\" in: $(tr '\n' ' ' <"$1")"
}

# wait_for SECONDS WHAT COMMAND…: until the command succeeds; at least half a minute, since only what never comes is a
# fault.
wait_for() {
    local limit=$((($1 > 30 ? $1 : 30) * ${TIME_FACTOR:-1})) what=$2 end
    end=$((SECONDS + limit))
    shift 2
    while ((SECONDS <= end)); do
        ! "$@" >/dev/null 2>&1 || return 0
        sleep 0.1
    done
    give_up "waited $limit s for $what"
}

# settle COMMAND…: waits until two seconds have passed in which what the command prints has not changed.
settle() {
    local now last='' since=$EPOCHSECONDS end=$((SECONDS + 60 * ${TIME_FACTOR:-1}))
    while ((EPOCHSECONDS - since <= 2)); do
        ((SECONDS <= end)) || give_up "it goes on: $*"
        now=$("$@")
        [[ $now == "$last" ]] || since=$EPOCHSECONDS
        last=$now
        sleep 0.2
    done
}

between() { awk -v low="$1" -v value="$2" -v high="$3" 'BEGIN { exit !(low <= value && value <= high) }'; }

# MARK: The air

# start_air OPTION…: plugs controllers in (see vhci-air --help), and waits until the kernel has set them up and they
# are up. Their output is air.log.
start_air() {
    plug_in "$@"
    local adapter
    for adapter in $(adapters); do bring_up "$adapter"; done
}

# plug_in OPTION…: the same, and leaves them as the kernel does: it takes them down again after two seconds.
plug_in() {
    local number adapter
    number=$(printf '%s\n' "$@" | grep -c -e --profile)
    mkfifo air.commands
    "$PROGRAMS/vhci-air" --controllers "$number" "$@" <>air.commands >air.log 2>air.errors &
    air=$!
    trap stop_air EXIT
    wait_for 30 "$number controllers" air_has_added "$number"
    for adapter in $(adapters); do wait_for 10 "the kernel to set $adapter up" is_set_up "$adapter"; done
}

stop_air() {
    grep -v ranking beacond.err 2>/dev/null || true
    kill "$air" 2>/dev/null || true
    wait "$air" || true
    tail -n 5 air.log air.errors
}

air_has_added() { (($(grep -c '"added"' air.log) >= $1)); }

# air_does COMMAND: see vhci-air --help.
air_does() { echo "$1" >air.commands; }

# air_reports NUMBER: how many advertising reports a controller has handed to the kernel so far.
air_reports() {
    local before
    before=$(grep -c '"counts"' air.log || true)
    air_does counts
    wait_for 10 "the air's counts" air_has_counted "$before"
    grep '"counts"' air.log | tail -n 1 | sed "s/.*\"controller\":$1,\"commands\":[0-9]*,\"reports\":\([0-9]*\).*/\1/"
}

# has_reported COUNT: the first controller has handed so many to the kernel.
has_reported() { (($(air_reports 0) >= $1)); }

air_has_counted() { (($(grep -c '"counts"' air.log) > $1)); }

# one_beacon: writes the scenario one.yaml: a beacon every 100 ms, and no noise.
one_beacon() {
    cat >one.yaml <<'END'
propagation: {shadowing_db: 0, fading_k_db: none, loss: 0}
beacons:
  - {uuid: 636F3F8F-6491-4BEE-95F7-D8CC64A863B5, position: [1, 0]}
END
}

# crowd: writes the scenario crowd.yaml: 100 beacons, each every 100 ms, and no noise: about 950 reports a second.
crowd() {
    local minor
    {
        echo "propagation: {shadowing_db: 0, fading_k_db: none, loss: 0, sensitivity_dbm: -127}"
        echo "beacons:"
        for minor in {1..100}; do
            echo "  - {uuid: 636F3F8F-6491-4BEE-95F7-D8CC64A863B5, minor: $minor, position: [$((minor % 10 + 1)), 0]}"
        done
    } >crowd.yaml
}

# start_bluetoothd plain|experimental: with its bus, and waits until it knows the adapters. Experimental interfaces are
# those that bluetoothd offers with -E; advertisement monitors are among them in Debian 12.
start_bluetoothd() {
    local options=()
    [[ $1 == plain ]] || options+=(--experimental)
    dbus-uuidgen --ensure=/etc/machine-id
    [[ -S /run/dbus/system_bus_socket ]] || dbus-daemon --system --fork --nopidfile
    local program=/usr/libexec/bluetooth/bluetoothd
    [[ -x $program ]] || program=/usr/lib/bluetooth/bluetoothd
    "$program" --nodetach "${options[@]}" >bluetoothd.log 2>&1 &
    # shellcheck disable=SC2034  # for the tests
    bluetoothd=$!
    local adapter
    for adapter in $(adapters); do
        wait_for 20 "bluetoothd to know $adapter" bluetoothd_knows "$(address_of "$adapter")"
    done
}

# Not grep -q: it ends at the first match, and what writes to it may then fail.
bluetoothd_knows() { [[ -n $(bluetoothctl list | grep -i "$1") ]]; }

# switch_on ADAPTER: by bluetoothd, whatever state it is in.
switch_on() {
    wait_for 20 "bluetoothd to switch $1 on" dbus-send --system --print-reply --dest=org.bluez "/org/bluez/$1" \
        org.freedesktop.DBus.Properties.Set string:org.bluez.Adapter1 string:Powered variant:boolean:true
}

# begin_discovery ADAPTER: by bluetoothctl, which stays until end_discovery. bluetoothd has begun it, as bluetoothctl.log
# says, or the test fails.
begin_discovery() {
    local before answer
    switch_on "$1"
    [[ -p bluetoothctl.commands ]] || mkfifo bluetoothctl.commands
    touch bluetoothctl.log
    before=$(discovery_answers | wc -l)
    # It would end with its input.
    bluetoothctl <>bluetoothctl.commands >>bluetoothctl.log 2>&1 &
    bluetoothctl=$!
    printf 'select %s\nscan on\n' "$(address_of "$1")" >bluetoothctl.commands
    wait_for 20 "bluetoothd to answer bluetoothctl" has_answered_discovery "$before"
    # Each time it is asked once: the last answer is this one's.
    answer=$(discovery_answers | tail -n 1)
    [[ $answer == 'Discovery started' ]] || give_up "no discovery on $1: $answer"
}

end_discovery() {
    kill -TERM "$bluetoothctl" 2>/dev/null || true
    wait "$bluetoothctl" || true
}

discovery_answers() { grep -oE 'Discovery started|Failed to start discovery[^[:cntrl:]]*' bluetoothctl.log || true; }

has_answered_discovery() { (($(discovery_answers | wc -l) > $1)); }

# MARK: Adapters

adapters() { (cd /sys/class/bluetooth && compgen -G 'hci*' | grep -v :) || true; }

# The kernel has read an address from it.
is_set_up() { ! hciconfig "$1" | grep -q 'Address: 00:00:00:00:00:00'; }

is_up() { hciconfig "$1" | grep -q 'UP RUNNING'; }

is_down() { ! is_up "$1"; }

is_there() { [[ -d /sys/class/bluetooth/$1 ]]; }

is_not_there() { ! is_there "$1"; }

bring_up() { wait_for 10 "$1 to come up" hciconfig "$1" up; }

# address_of ADAPTER: in small letters.
address_of() { hciconfig "$1" | sed -n 's/.*BD Address: \([0-9A-F:]*\).*/\L\1/p'; }

# recipe ADAPTER: the iBeacon by hciconfig and hcitool. Controllers that take only the extended commands get those.
recipe() {
    local data
    read -ra data <<<"1E $recipe_payload 00"
    if [[ $PROFILE == extended-only ]]; then
        recipe_by_extended_commands "$1"
        return
    fi
    hciconfig "$1" up
    hciconfig "$1" noscan
    hciconfig "$1" leadv 3
    # The recipe on the web is one octet short, which strict controllers refuse.
    hcitool -i "$1" cmd 0x08 0x0008 "${data[@]}"
}

recipe_by_extended_commands() {
    local data
    read -ra data <<<"1E $recipe_payload"
    # Set 0 of legacy PDUs, not connectable, every 1.28 s.
    hcitool -i "$1" cmd 0x08 0x0036 00 10 00 00 08 00 00 08 00 07 00 00 00 00 00 00 00 00 00 7F 01 00 01 00 00
    hcitool -i "$1" cmd 0x08 0x0037 00 03 01 "${data[@]}"
    hcitool -i "$1" cmd 0x08 0x0039 01 01 00 00 00 00
}

# MARK: Programs

# as_user RIGHT… -- COMMAND…: as an unprivileged user with these capabilities alone (net_raw, net_admin), or none.
# Takes the shell's place: only for `begin` and subshells.
as_user() {
    local rights=-all
    while [[ $1 != -- ]]; do
        rights+=,+$1
        shift
    done
    shift
    exec setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps "$rights" --ambient-caps "$rights" -- "$@"
}

# begin NAME COMMAND…: in the background; its output is NAME.out and NAME.err, its process $begun.
begin() {
    local name=$1
    shift
    # Before the process gets its turn: nobody may find there what an earlier one of this name wrote.
    : >"$name.out" >"$name.err"
    "$@" >"$name.out" 2>"$name.err" &
    # shellcheck disable=SC2034  # for the tests
    begun=$!
}

# run_to_end NAME COMMAND…: the same, and waits for it.
run_to_end() {
    begin "$@"
    end_of "$begun"
}

# end_of PROCESS: waits for it, and sets $status.
end_of() {
    status=0
    # shellcheck disable=SC2034  # for the tests
    wait "$1" || status=$?
}

# expect_failure NAME TEXT…: the program that has just ended did so with status 1 and one line with these texts.
expect_failure() {
    local name=$1 text
    shift
    show "$(tail -n 1 "$name.err")"
    expect "exit status 1, not $status" [ "$status" = 1 ]
    for text; do expect_text "$name.err" "$text"; done
}

# MARK: beacond

# start_beacond "RIGHT…" OPTION…: as an unprivileged user; waits until it hears something. Its log is beacond.err.
start_beacond() {
    local rights
    read -ra rights <<<"$1"
    shift
    mkdir -m 777 state
    begin beacond as_user "${rights[@]}" -- "$PROGRAMS/beacond" --debug --state-dir "$PWD/state" "$@"
    beacond=$begun
    wait_for 20 "a sighting by beacond" has_heard_since 0
}

end_beacond() {
    kill -TERM "$beacond"
    end_of "$beacond"
    expect "exit status 0 after SIGTERM" [ "$status" = 0 ]
}

# has_heard_since TIME: seconds since the epoch.
has_heard_since() {
    local last
    last=$(sed -n 's/.*sightings, the last at \(.*\)$/\1/p' beacond.err | tail -n 1)
    [[ -n $last ]] && awk -v last="$(date -d "$last" +%s.%N)" -v since="$1" 'BEGIN { exit !(last > since) }'
}

# is_blind_after LINE: beacond has said so, below this line of its log.
is_blind_after() { [[ $(tail -n "+$(($1 + 1))" beacond.err) == *'scanner  blind'* ]]; }

# fault NAME blind|stays CAUSE [SECONDS END]: brings a fault about and ends it after a while. beacond says blind within
# ten seconds where hearing stops, and hears again within thirty of the end, without a restart.
fault() {
    local name=$1 kind=$2 cause=$3 hold=${4:-0} end=${5:-true} line began ended said=
    wait_for 20 "beacond to hear before: $name" has_heard_since "$EPOCHREALTIME"
    line=$(wc -l <beacond.err)
    began=$EPOCHREALTIME
    eval "$cause"
    if [[ $kind == blind ]]; then
        wait_for 10 "beacond to say blind: $name" is_blind_after "$line"
        said="blind after $(since "$began") s, "
        sleep "$hold"
    fi
    eval "$end"
    ended=$EPOCHREALTIME
    wait_for 30 "beacond to hear again after: $name" has_heard_since "$ended"
    show "$name: ${said}heard again $(since "$ended") s after its end"
    expect "the same process" kill -0 "$beacond"
}

# since TIME: seconds, with one digit behind the point.
since() { awk -v now="$EPOCHREALTIME" -v then="$1" 'BEGIN { printf "%.1f", now - then }'; }

# switch_radio ADAPTER 0|1: blocks it as `rfkill block` would (1), or no longer (0).
switch_radio() {
    local folder
    for folder in /sys/class/rfkill/*; do
        [[ $(<"$folder/name") != "$1" ]] || echo "$2" >"$folder/soft"
    done
}

# take_user_channel ADAPTER: by another program, until leave_user_channel.
take_user_channel() {
    begin taker "$PROGRAMS/beaconctl" sightings --source "$1:user" --format csv
    taker=$begun
    wait_for 15 "the user channel of $1 to be taken" has_lines taker.out 2
}

leave_user_channel() {
    kill -TERM "$taker"
    end_of "$taker"
}

# MARK: What goes through an adapter, by somebody else's eyes

# watch_packets ADAPTER: from now on, until the test ends.
watch_packets() {
    # Not block by block, so that a test can wait for what it looks for.
    stdbuf -oL hcidump -i "$1" -R >"$1.dump" 2>/dev/null &
    wait_for 10 hcidump has_lines "$1.dump" 1
}

# packets ADAPTER: one a line, as in `> 04 0E 04 01 0C 20 00`.
packets() { sed 1d "$1.dump" | tr -s '\n ' ' ' | sed 's/ \([<>]\)/\n\1/g; s/ *$/\n/'; }

# Its own command or another program's; legacy or extended.
# Not grep -q: it ends at the first match, and what writes to it may then fail.
scan_is_on() { [[ -n $(packets "$1" | grep -E '^> 04 0E 04 .. (0C|42) 20 00') ]]; }

advertising_reports() { packets "$1" | grep -cE '^> 04 3E .. (02|0D) ' || true; }

has_ended() { ! kill -0 "$1"; }

has_lines() { (($(wc -l <"$1") >= $2)); }

# MARK: Sightings (the CSV of beaconctl sightings)

# sightings FILE: how many.
sightings() { awk 'END { print (NR > 0 ? NR - 1 : 0) }' "$1"; }

# later SECONDS: the time in so many seconds, as sightings have it. Theirs is the kernel's time of each report: by it,
# what a listener writes late is still from before.
later() { date -u -d "$1 seconds" +%Y-%m-%dT%H:%M:%S.%6NZ; }

# sightings_since TIME FILE: those after it.
sightings_since() { awk -F , -v since="$1" 'NR > 1 && ($1 "") > since' "$2"; }

# has_heard_until FILE TIME: a sighting is from after it.
has_heard_until() {
    local last
    last=$(tail -n 1 "$1" | cut -d , -f 1)
    [[ $last == 2* && $last > $2 ]]
}

# hear NAME COUNT COMMAND…: lists sightings until there are so many, whenever the first one comes.
hear() {
    local name=$1 count=$2
    shift 2
    begin "$name" "$@"
    wait_for 20 "$count sightings" has_heard "$name" "$count"
    end_listening "$name"
}

# listen_for SECONDS NAME COMMAND…: lists sightings of so many seconds. These begin when the first one is there, because
# a program may take long to start, and the listener may be behind when they have passed.
listen_for() {
    local seconds=$1 name=$2 end
    shift 2
    begin "$name" "$@"
    wait_for 20 "a sighting" has_heard "$name" 1
    end=$(later "$seconds")
    sleep "$seconds"
    wait_for 20 "sightings after $seconds s" has_heard_all "$name" "$end"
    end_listening "$name"
}

# Or it has ended, which end_listening then reports.
has_heard() { has_lines "$1.out" $(($2 + 1)) || has_ended "$begun"; }

has_heard_all() { has_heard_until "$1.out" "$2" || has_ended "$begun"; }

end_listening() {
    kill -TERM "$begun" 2>/dev/null || true
    end_of "$begun"
    expect "exit status 0 of $1, not $status: $(cat "$1.err")" [ "$status" = 0 ]
}

# span FILE: from the first sighting to the last, in milliseconds; over a midnight too.
span() {
    awk -F, '
        NR > 1 { split(substr($1, 12), t, /[:Z]/); last = t[1] * 3600000 + t[2] * 60000 + t[3] * 1000 }
        NR == 2 { first = last }
        END { printf("%.0f\n", (last - first + 86400000) % 86400000) }' "$1"
}

# intervals FILE: mean and longest time between two sightings, in milliseconds.
intervals() {
    awk -F, '
        NR > 1 {
            split(substr($1, 12), t, /[:Z]/)
            now = t[1] * 3600000 + t[2] * 60000 + t[3] * 1000
            if (NR > 2) { gap = now - last; sum += gap; if (gap > longest) longest = gap }
            last = now
        }
        END { printf("%.0f %.0f\n", NR > 2 ? sum / (NR - 2) : 0, longest) }' "$1"
}
