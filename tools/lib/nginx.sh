# shellcheck shell=bash
# An nginx program, without a system service. Needs log.sh and packages.sh.

: "${tools_state:?}"

# need_nginx: prints the path of a program. Debian's package starts a service on port 80 when it is
# installed, so where it is not installed already it is only unpacked below .tools/.
need_nginx() {
    local candidate
    for candidate in "${NGINX:-}" /usr/sbin/nginx "$tools_state/nginx/usr/sbin/nginx"; do
        if [[ -n $candidate && -x $candidate ]]; then
            printf '%s\n' "$candidate"
            return 0
        fi
    done
    command -v apt-get >/dev/null || fail "there is no nginx; install it, or set NGINX to its path"

    say "Unpacking nginx below $tools_state/nginx"
    local folder=$tools_state/nginx.new libraries
    rm -rf "$folder"
    mkdir -p "$folder"
    # Download works without root, but only with package lists.
    (cd "$folder" && apt-get download -qq nginx >/dev/null 2>&1) || {
        as_root apt-get update -qq </dev/null >&2
        (cd "$folder" && apt-get download -qq nginx >/dev/null) || fail "apt cannot download nginx"
    }
    dpkg -x "$folder"/nginx_*.deb "$folder"
    libraries=$(dpkg-deb -f "$folder"/nginx_*.deb Depends | tr ',' '\n' | sed 's/[ (|].*//; s/^ *//' | sed -n '/^ *\(lib\|zlib\)/p')
    # shellcheck disable=SC2086  # one word a package
    need_packages $libraries
    [[ -x $folder/usr/sbin/nginx ]] || fail "Debian's nginx package has no usr/sbin/nginx here; set NGINX to an nginx program"
    rm -rf "$tools_state/nginx"
    mv "$folder" "$tools_state/nginx"
    printf '%s\n' "$tools_state/nginx/usr/sbin/nginx"
}
