# shellcheck shell=bash
# Python environments for the tests' counterparts. Needs log.sh and packages.sh.

: "${project:?}" "${tools_state:?}"

# need_venv: prints the path of a folder with rootcanal and Bumble.
need_venv() { make_venv venv "$project/Tests/Peers/requirements.txt" 'import bumble'; }

# need_bluez_venv: the same with a simulated bluetoothd on the test's own bus. D-Bus for Python comes from Debian.
need_bluez_venv() {
    need_packages dbus python3-dbus python3-gi
    make_venv bluez-venv "$project/Tests/Peers/requirements-bluez.txt" 'import dbusmock' --system-site-packages
}

# need_web_venv: the same with clients for the daemon's HTTP API.
need_web_venv() {
    make_venv web-venv "$project/Tests/Peers/requirements-web.txt" 'import axe_core_python, prometheus_client, websockets'
}

# need_api_venv: the same with schemathesis, which calls an API with generated requests.
need_api_venv() { make_venv api-venv "$project/Tests/Peers/requirements-api.txt" 'import schemathesis'; }

# need_client_venv: the same with what makes and packs the Python client, and what tools/client-test checks with.
need_client_venv() {
    make_venv client-venv "$project/Tests/Peers/requirements-client.txt" \
        'import build, hatchling, jsonschema, openapi_python_client, paho.mqtt, yaml'
}

# need_terminal_venv: the same with a terminal emulator.
need_terminal_venv() { make_venv terminal-venv "$project/Tests/Peers/requirements-terminal.txt" 'import pyte'; }

# need_esphome_venv: the same with ESPHome's own client of Bluetooth proxies.
need_esphome_venv() {
    make_venv esphome-venv "$project/Tests/Peers/requirements-esphome.txt" 'import aioesphomeapi.api_pb2, noise.connection'
}

# need_bench_venv: the same with other readers of iBeacons, to be measured.
need_bench_venv() { make_venv bench-venv "$project/Tests/Peers/requirements-bench.txt" 'import beacontools, bleparser, ibeacon_ble'; }

# need_pin_venv: the same with the program with which tools/pin gets versions and hashes.
need_pin_venv() { make_venv pin-venv "$project/Tests/Peers/requirements-pin.txt" 'import uv'; }

# make_venv NAME PINS CHECK [OPTION…]: makes the environment, and again when the pins change. Prints its path. PINS
# lists all packages with the hashes of their files. Nothing else is installed: no other dependency, and to build
# packages that are published only as source, only the tools in the file beside it (…-build.txt).
make_venv() {
    local venv=$tools_state/$1 pins=$2 check=$3 python=/usr/bin/python3
    shift 3
    local all=("$pins") step
    [[ ! -f ${pins%.txt}-build.txt ]] || all=("${pins%.txt}-build.txt" "$pins")
    if [[ -f $venv/pins.txt ]] && cat "${all[@]}" | cmp -s - "$venv/pins.txt" && "$venv/bin/python" -c "$check" 2>/dev/null; then
        printf '%s\n' "$venv"
        return 0
    fi
    need_packages python3 python3-venv
    # Debian's own Python, because python3-venv belongs to it. PATH may have another one first.
    [[ -x $python ]] || python=python3
    say "Installing $(grep -o '^[a-z][a-z-]*' "${pins%.txt}.in" | paste -s -d ' ') below $venv"
    mkdir -p "$tools_state"
    rm -rf "$venv"
    quietly "$tools_state/venv.log" "$python" -m venv "$@" "$venv" ||
        fail "$python cannot make a virtual environment; on Debian, python3-venv is what it needs"
    for step in "${all[@]}"; do
        quietly "$tools_state/venv.log" "$venv/bin/python" -m pip install --quiet --disable-pip-version-check \
            --require-hashes --no-deps --no-build-isolation -r "$step" ||
            fail "pip cannot install $step; is the network there?"
    done
    cat "${all[@]}" >"$venv/pins.txt"
    printf '%s\n' "$venv"
}
