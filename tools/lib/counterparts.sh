# shellcheck shell=bash
# Variables by which the tests find their counterparts. Needs log.sh, packages.sh, unpacked.sh and venv.sh.

: "${project:?}"

# Prepares real counterparts. The tests find them through these variables, and skip with a reason if one is missing.
prepare_counterparts() {
    NGINX=$(need_nginx)
    export NGINX
    MOSQUITTO=$(need_mosquitto)
    export MOSQUITTO
    need_packages mosquitto-clients openssl python3
    CLOCK_SHIFT=$(need_clock_shift)
    export CLOCK_SHIFT
    local btmon
    btmon=$(need_btmon)
    export PATH=$PATH:${btmon%/*}
    BEACOND_BLUEZ_VENV=$(need_bluez_venv)
    export BEACOND_BLUEZ_VENV
    BEACOND_WEB_VENV=$(need_web_venv)
    export BEACOND_WEB_VENV
    BEACOND_API_VENV=$(need_api_venv)
    export BEACOND_API_VENV
    BEACOND_TERMINAL_VENV=$(need_terminal_venv)
    export BEACOND_TERMINAL_VENV
    BEACOND_ESPHOME_VENV=$(need_esphome_venv)
    export BEACOND_ESPHOME_VENV
    need_packages zbar-tools
    need_libvips
    # The curators' pages in the browser tests, with the scripts that the package installs.
    "$project/tools/web-assets" >/dev/null
    CHROMIUM=$(need_chromium)
    export CHROMIUM
    if [[ $(uname -m) == x86_64 ]]; then
        BEACOND_TEST_VENV=$(need_venv)
        export BEACOND_TEST_VENV
    else
        warn "rootcanal exists only for x86_64: the tests with third-party controllers and hosts are skipped"
    fi
}

# Builds the library that makes a program's wall clock wrong, and prints where it is. (libfaketime also
# shifts timerfd timers of the monotonic clock, so that a Swift program never waits.)
need_clock_shift() { need_preloaded clock_shift; }

# need_preloaded NAME: builds tools/lib/NAME.c as a library for LD_PRELOAD, and prints where it is.
need_preloaded() {
    local name=$1
    local library=$tools_state/${name//_/-}/$name.so source=$project/tools/lib/$name.c
    if [[ ! $library -nt $source ]]; then
        mkdir -p "${library%/*}"
        "$(command -v clang || command -v gcc || command -v cc)" -shared -fPIC -O1 -Wall -Werror -o "$library" "$source"
    fi
    printf '%s\n' "$library"
}
