# shellcheck shell=bash
# Makes a small bootable Debian with debootstrap, below .tools/systemd-test. Sourced by tools/systemd-test.

: "${tools_state:?}"

debian_root=
debian_log=$tools_state/systemd-test/debootstrap.log

# need_debian_root PACKAGE.deb: makes the Debian with all dependencies of the package, as apt would install them, and
# again when they change. Sets `debian_root`; returns 1 if it cannot be made.
need_debian_root() {
    local packages folder=$tools_state/systemd-test
    # bluez contains the adapters' power switch, and users have it installed.
    packages=$({ printf '%s\n' systemd systemd-sysv dbus bluez && dependencies "$1"; } | sort -u | paste -s -d ,)
    debian_root=$folder/root
    [[ -f $folder/root-stamp && $(cat "$folder/root-stamp") == "$packages" ]] && return 0
    need_packages debootstrap debian-archive-keyring
    say "Making a small Debian below $debian_root (once, 350 MB)"
    mkdir -p "$folder/cache"
    rm -f "$folder/root-stamp"
    as_root rm -rf "$debian_root"
    as_root debootstrap --variant=minbase --cache-dir="$folder/cache" --include="$packages" \
        "$(debian_release)" "$debian_root" "$(debian_mirror)" >"$debian_log" 2>&1 </dev/null || return 1
    echo systemd-test | as_root tee "$debian_root/etc/hostname" >/dev/null
    printf '%s\n' "$packages" >"$folder/root-stamp"
}

# dependencies PACKAGE.deb: only the names; of alternatives the first.
dependencies() { dpkg-deb -f "$1" Depends | tr , '\n' | sed 's/[|(].*//; s/ //g'; }

# The release of this machine, for which the programs were built.
debian_release() { (. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}"); }

# The mirror of this machine's own packages.
debian_mirror() {
    local mirror
    # shellcheck disable=SC2016  # apt's own words
    mirror=$(apt-get indextargets --format '$(REPO_URI)' "Codename: $(debian_release)" 2>/dev/null | head -n 1)
    echo "${mirror:-http://deb.debian.org/debian}"
}
