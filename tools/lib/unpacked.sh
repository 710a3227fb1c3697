# shellcheck shell=bash
# Programs from Debian packages whose installation would start a service. If they are not installed already, they are
# only unpacked below .tools/. Needs log.sh and packages.sh.

: "${tools_state:?}"

# need_nginx: prints the path of an nginx; $NGINX overrides it.
need_nginx() {
    if [[ -n ${NGINX:-} ]]; then
        [[ -x $NGINX ]] || fail "NGINX is $NGINX, which is no program"
        printf '%s\n' "$NGINX"
    else
        need_unpacked nginx /usr/sbin/nginx
    fi
}

# need_btmon: prints the path of btmon.
need_btmon() { need_unpacked bluez /usr/bin/btmon; }

# need_mosquitto: prints the path of mosquitto, an MQTT broker; $MOSQUITTO overrides it.
need_mosquitto() {
    if [[ -n ${MOSQUITTO:-} ]]; then
        [[ -x $MOSQUITTO ]] || fail "MOSQUITTO is $MOSQUITTO, which is no program"
        printf '%s\n' "$MOSQUITTO"
    else
        need_unpacked mosquitto /usr/sbin/mosquitto
    fi
}

# need_unpacked PACKAGE PATH: prints the path of the package's program.
need_unpacked() {
    local package=$1 program=$2 folder=$tools_state/$1
    if [[ -x $program || -x $folder$program ]]; then
        [[ -x $program ]] || program=$folder$program
        printf '%s\n' "$program"
        return 0
    fi
    command -v apt-get >/dev/null || fail "there is no $program; install it"

    say "Unpacking $package below $folder"
    rm -rf "$folder" "$folder.new"
    mkdir -p "$folder.new"
    # This works without root, but needs package lists.
    download "$package" "$folder.new" || {
        as_root apt-get update -qq </dev/null >&2 || fail "apt-get update failed: is the network there?"
        download "$package" "$folder.new" || fail "apt cannot download $package"
    }
    dpkg -x "$folder.new"/*.deb "$folder.new"
    # The libraries that it is linked to, without versions and alternatives.
    local libraries=()
    mapfile -t libraries < <(dpkg-deb -f "$folder.new"/*.deb Depends | tr ',' '\n' | sed 's/[(|].*//; s/ //g' | grep -E '^(lib|zlib)')
    need_packages "${libraries[@]}"
    [[ -x $folder.new$program ]] || fail "Debian's package $package has no $program here"
    mv "$folder.new" "$folder"
    printf '%s\n' "$folder$program"
}

download() { (cd "$2" && apt-get download -qq "$1" >/dev/null 2>&1); }
