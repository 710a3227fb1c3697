# shellcheck shell=bash
# Makes a small bootable Debian with debootstrap, below .tools/systemd-test. Sourced by tools/systemd-test.

: "${tools_state:?}"

debian_root=
debian_log=$tools_state/systemd-test/debootstrap.log

# need_debian_root PACKAGE.deb…: makes the Debian with all dependencies of the packages, as apt would install them, and
# again when they change. Sets `debian_root`; returns 1 if it cannot be made.
need_debian_root() {
    local packages package folder=$tools_state/systemd-test
    # bluez contains the adapters' power switch, and users have it installed.
    packages=$({
        printf '%s\n' systemd systemd-sysv dbus bluez
        for package in "$@"; do dependencies "$package"; done
    } | sort -u | paste -s -d ,)
    debian_root=$folder/root
    [[ -f $folder/root-stamp && $(cat "$folder/root-stamp") == "$packages" ]] && return 0
    need_packages debootstrap debian-archive-keyring
    say "Making a small Debian below $debian_root (once, 700 MB)"
    mkdir -p "$folder/cache"
    rm -f "$folder/root-stamp"
    as_root rm -rf "$debian_root"
    as_root debootstrap --variant=minbase --cache-dir="$folder/cache" --include="$packages" \
        "$(debian_release)" "$debian_root" "$(debian_mirror)" >"$debian_log" 2>&1 </dev/null || return 1
    echo systemd-test | as_root tee "$debian_root/etc/hostname" >/dev/null
    printf '%s\n' "$packages" >"$folder/root-stamp"
}

# dependencies PACKAGE.deb: what it depends on and recommends, only the names; of alternatives the one that is there.
dependencies() {
    local alternatives name
    dpkg-deb -f "$1" Depends Recommends | sed 's/^[A-Z][a-z]*: //' | tr , '\n' | while read -r alternatives; do
        for name in $(sed 's/([^)]*)//g; s/|/ /g' <<<"$alternatives"); do
            ! apt-cache show "$name" >/dev/null 2>&1 || { echo "$name" && break; }
        done
    done
}

# The release of this machine, for which the programs were built.
debian_release() { (. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}"); }

# The mirror of this machine's own packages.
debian_mirror() {
    local mirror
    # shellcheck disable=SC2016  # apt's own words
    mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $(debian_release)" 2>/dev/null | head -n 1)
    echo "${mirror:-http://deb.debian.org/debian}"
}
