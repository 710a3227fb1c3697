# shellcheck shell=bash
# Programs and files from Debian packages that need no installation, or whose installation would start a service. If
# they are not installed already, they are only unpacked below .tools/. Needs log.sh and packages.sh.

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

# need_ejabberd: prints the folder below which ejabberd, an MQTT broker that makes clusters, and Erlang are unpacked.
need_ejabberd() {
    local folder=$tools_state/ejabberd package packages=()
    if [[ -d $folder ]]; then
        printf '%s\n' "$folder"
        return 0
    fi
    command -v apt-get >/dev/null || fail "there is no apt here, and no $folder"
    say "Unpacking ejabberd below $folder"
    # With all that it needs of Erlang, except what it does not load.
    mapfile -t packages < <(
        apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks --no-replaces \
            --no-enhances ejabberd | { grep -E '^(erlang-|ejabberd$)' || true; } | sort -u |
            grep -vE '^erlang-(dialyzer|eunit|ftp|odbc|proper|snmp|tftp)$'
    )
    rm -rf "$folder.new"
    mkdir -p "$folder.new"
    for package in "${packages[@]}"; do
        download "$package" "$folder.new" || fail "apt cannot download $package"
    done
    for package in "$folder.new"/*.deb; do dpkg -x "$package" "$folder.new"; done
    rm -f "$folder.new"/*.deb
    [[ -x $folder.new/usr/lib/erlang/bin/erl ]] || fail "Debian's packages have no Erlang here"
    mv "$folder.new" "$folder"
    printf '%s\n' "$folder"
}

# need_unpacked PACKAGE PATH: prints the path of the package's program.
need_unpacked() {
    local program
    program=$(need_unpacked_file "$1" "$2") || return
    [[ -x $program ]] || fail "$program, of Debian's package $1, is no program"
    printf '%s\n' "$program"
}

# need_unpacked_file PACKAGE PATH: prints the path of one of the package's files.
need_unpacked_file() {
    local package=$1 file=$2 folder=$tools_state/$1
    if [[ -e $file || -e $folder$file ]]; then
        [[ -e $file ]] || file=$folder$file
        printf '%s\n' "$file"
        return 0
    fi
    command -v apt-get >/dev/null || fail "there is no $file; install it"

    say "Unpacking $package below $folder"
    rm -rf "$folder" "$folder.new"
    mkdir -p "$folder.new"
    # This works without root, but needs package lists.
    download "$package" "$folder.new" || {
        as_root apt-get update -qq </dev/null >&2 || fail "apt-get update failed: is the network there?"
        download "$package" "$folder.new" || fail "apt cannot download $package"
    }
    dpkg -x "$folder.new"/*.deb "$folder.new"
    need_libraries_of "$folder.new"/*.deb
    [[ -e $folder.new$file ]] || fail "Debian's package $package has no $file here"
    mv "$folder.new" "$folder"
    printf '%s\n' "$folder$file"
}

# need_libraries_of PACKAGE.deb: installs the libraries that its programs are linked to.
need_libraries_of() {
    local libraries=()
    # Without versions and alternatives.
    mapfile -t libraries < <(
        dpkg-deb -f "$1" Depends | tr ',' '\n' | sed 's/[(|].*//; s/ //g' |
            { grep -E '^(lib|zlib)' || true; } | { grep -v '^libjs-' || true; }
    )
    need_packages "${libraries[@]}"
}

download() { (cd "$2" && apt-get download -qq "$1" >/dev/null 2>&1); }
