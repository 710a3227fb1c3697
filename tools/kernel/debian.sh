# shellcheck shell=bash
# Makes a small bootable Debian of a suite with debootstrap, below .tools/systemd-test. Sourced by tools/systemd-test and
# tools/arm64-test.

: "${tools_state:?}"

# The architecture. Another one than this machine's needs need_emulation.
debian_architecture=$(dpkg --print-architecture 2>/dev/null || echo amd64)
# Packages that tests use there, besides those that the tested ones depend on. bluez contains the adapters' power switch,
# and users have it installed. mosquitto is the broker of a fleet.
debian_packages=(systemd systemd-sysv dbus bluez mosquitto)
debian_root=
debian_log=$tools_state/systemd-test/debootstrap.log

# need_debian_root SUITE PACKAGE.deb…: makes the Debian with all dependencies of the packages, as that suite's apt would
# install them, and again when they change. Sets `debian_root`; returns 1 if it cannot be made.
need_debian_root() {
    local suite=$1 packages wanted folder=$tools_state/systemd-test/$1-$debian_architecture
    shift
    wanted=$(wanted_packages "$@")
    debian_root=$folder/root
    [[ -f $folder/root-stamp && $(cat "$folder/root-stamp") == "$wanted" ]] && return 0
    need_packages debootstrap debian-archive-keyring
    mkdir -p "$folder/cache"
    packages=$(with_dependencies "$suite" "$wanted") || return 1
    say "Making a small Debian ($suite, $debian_architecture) below $debian_root (once, 800 MB)"
    rm -f "$folder/root-stamp"
    as_root rm -rf "$debian_root"
    as_root debootstrap "--arch=$debian_architecture" --variant=minbase --cache-dir="$folder/cache" --include="$packages" \
        "$suite" "$debian_root" "$(debian_mirror)" >"$debian_log" 2>&1 </dev/null || return 1
    echo systemd-test | as_root tee "$debian_root/etc/hostname" >/dev/null
    printf '%s\n' "$wanted" >"$folder/root-stamp"
}

# wanted_packages PACKAGE.deb…: what they depend on and recommend, as in the field Depends, without their own names.
wanted_packages() {
    local package
    {
        printf '%s\n' "${debian_packages[@]}"
        for package; do dpkg-deb -f "$package" Depends Recommends | sed 's/^[A-Z][a-z]*: //' | tr , '\n'; done
    } | sed 's/^ *//' | sort -u | paste -s -d ,
}

# with_dependencies SUITE WANTED: the names of all packages that the suite's apt installs for them. Names differ between
# suites: what is libcurl4 in Debian 12 is provided by libcurl4t64 in Debian 13. debootstrap cannot find that out.
with_dependencies() {
    local suite=$1 folder=$tools_state/systemd-test/$1-$debian_architecture/wanted
    rm -rf "$folder"
    mkdir -p "$folder/DEBIAN"
    cat >"$folder/DEBIAN/control" <<END_OF_CONTROL
Package: wanted
Version: 1
Architecture: $debian_architecture
Maintainer: $(basename "$0") <root@localhost>
Description: what the packages depend on and recommend
Depends: $2
END_OF_CONTROL
    dpkg-deb --build "$folder" "$folder.deb" >"$debian_log" 2>&1 || return 1
    of_suite "$suite" apt-get -qq --simulate --no-install-recommends install "$folder.deb" 2>>"$debian_log" |
        sed -n 's/^Inst \([^ ]*\) .*/\1/p' | { grep -vx wanted || true; } | paste -s -d ,
}

# of_suite SUITE COMMAND…: apt-get or apt-cache for that release of Debian, and the architecture of the machine.
of_suite() {
    local suite=$1
    shift
    apt_of "$tools_state/apt/$suite-$debian_architecture" "$suite" "$debian_architecture" "$@"
}

# The release of this machine, for which the programs were built.
debian_release() { (. /etc/os-release && echo "${VERSION_CODENAME:-bookworm}"); }

# The same package with a higher version, for the upgrade. It is not compressed, because nobody downloads it.
make_newer_package() {
    local unpacked=$lane/unpacked version
    dpkg-deb -R "$lane"/packages/first/beacond_*.deb "$unpacked"
    version=$(dpkg-deb -f "$lane"/packages/first/beacond_*.deb Version)
    sed -i "s/^Version: .*/Version: $version+newer/" "$unpacked/DEBIAN/control"
    mkdir -p "$lane/packages/second"
    dpkg-deb --root-owner-group -Znone -b "$unpacked" "$lane/packages/second/beacond.deb" >/dev/null
    rm -rf "$unpacked"
}
