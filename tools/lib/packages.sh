# shellcheck shell=bash
# Installs missing packages from Debian, and nothing else. Needs log.sh and lock.sh.

: "${tools_state:?}"

# as_root COMMAND…: uses sudo unless the user is root.
as_root() {
    if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

is_installed() {
    [[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# need_packages PACKAGE…
need_packages() {
    local package missing=()
    if ! command -v apt-get >/dev/null; then
        warn "no apt here: install what corresponds to these Debian packages yourself: $*"
        return 0
    fi
    for package; do
        is_installed "$package" || missing+=("$package")
    done
    ((${#missing[@]})) || return 0
    if ((EUID != 0)) && ! command -v sudo >/dev/null; then
        fail "packages are missing, and there is no sudo here. As root, run: apt-get install --no-install-recommends ${missing[*]}"
    fi
    say "Installing ${missing[*]}"
    one_at_a_time apt install_packages "${missing[@]}"
}

install_packages() {
    # Package lists may be absent or old: refresh them only when the first try fails.
    apt_install "$@" && return 0
    as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null >&2 ||
        fail "apt-get update failed: is the network there?"
    apt_install "$@" || {
        cat "$packages_log" >&2
        fail "apt cannot install $*; what it said is above"
    }
}

apt_install() {
    packages_log=$tools_state/apt.log
    mkdir -p "$tools_state"
    as_root env DEBIAN_FRONTEND=noninteractive \
        apt-get install -o DPkg::Lock::Timeout=300 -y -qq --no-install-recommends "$@" </dev/null >"$packages_log" 2>&1
}

# The packages that `swift build` needs here: libraries named in the manifest, a linker and C headers, git for the
# packages, and the shared libraries that the toolchain itself is linked to.
need_build_packages() {
    need_packages \
        libbluetooth-dev libdbus-1-dev libgumbo-dev libmosquitto-dev libsystemd-dev libyaml-dev pkg-config \
        binutils ca-certificates g++ git libc6-dev libcurl4-openssl-dev libncurses-dev libsqlite3-dev libxml2-dev \
        tzdata zlib1g-dev
}

# need_libvips: what beacon-content-images decodes pictures with. It is found at run time: no headers are needed. Its
# name is another one since Debian 13.
need_libvips() {
    is_installed libvips42 && return 0
    if apt-cache show libvips42t64 >/dev/null 2>&1; then need_packages libvips42t64; else need_packages libvips42; fi
}

# need_chromium: prints the path of a Chromium; $CHROMIUM names another one.
need_chromium() {
    if [[ -n ${CHROMIUM:-} ]]; then
        [[ -x $CHROMIUM ]] || fail "CHROMIUM is $CHROMIUM, which is no program"
    else
        need_packages chromium fonts-dejavu-core
        CHROMIUM=$(command -v chromium) || fail "there is no chromium in PATH; install it, or set CHROMIUM"
    fi
    printf '%s\n' "$CHROMIUM"
}
