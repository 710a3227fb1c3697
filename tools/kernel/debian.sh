# shellcheck shell=bash
# Makes a small bootable Debian of a suite with debootstrap, below .tools/systemd-test. Sourced by tools/systemd-test.

: "${tools_state:?}"

debian_root=
debian_log=$tools_state/systemd-test/debootstrap.log

# need_debian_root SUITE PACKAGE.deb…: makes the Debian with all dependencies of the packages, as that suite's apt would
# install them, and again when they change. Sets `debian_root`; returns 1 if it cannot be made.
need_debian_root() {
    local suite=$1 packages wanted folder=$tools_state/systemd-test/$1
    shift
    wanted=$(wanted_packages "$@")
    debian_root=$folder/root
    [[ -f $folder/root-stamp && $(cat "$folder/root-stamp") == "$wanted" ]] && return 0
    need_packages debootstrap debian-archive-keyring
    mkdir -p "$folder/cache"
    packages=$(with_dependencies "$suite" "$wanted") || return 1
    say "Making a small Debian ($suite) below $debian_root (once, 800 MB)"
    rm -f "$folder/root-stamp"
    as_root rm -rf "$debian_root"
    as_root debootstrap --variant=minbase --cache-dir="$folder/cache" --include="$packages" \
        "$suite" "$debian_root" "$(debian_mirror)" >"$debian_log" 2>&1 </dev/null || return 1
    echo systemd-test | as_root tee "$debian_root/etc/hostname" >/dev/null
    printf '%s\n' "$wanted" >"$folder/root-stamp"
}

# wanted_packages PACKAGE.deb…: what they depend on and recommend, as in the field Depends, without their own names.
wanted_packages() {
    local package
    {
        # bluez contains the adapters' power switch, and users have it installed.
        printf '%s\n' systemd systemd-sysv dbus bluez
        for package; do dpkg-deb -f "$package" Depends Recommends | sed 's/^[A-Z][a-z]*: //' | tr , '\n'; done
    } | sed 's/^ *//' | sort -u | paste -s -d ,
}

# with_dependencies SUITE WANTED: the names of all packages that the suite's apt installs for them. Names differ between
# suites: what is libcurl4 in Debian 12 is provided by libcurl4t64 in Debian 13. debootstrap cannot find that out.
with_dependencies() {
    local suite=$1 folder=$tools_state/systemd-test/$1/wanted
    need_suite "$suite" >"$debian_log" 2>&1 || return 1
    rm -rf "$folder"
    mkdir -p "$folder/DEBIAN"
    cat >"$folder/DEBIAN/control" <<END_OF_CONTROL
Package: wanted
Version: 1
Architecture: $(dpkg --print-architecture)
Maintainer: $(basename "$0") <root@localhost>
Description: what the packages depend on and recommend
Depends: $2
END_OF_CONTROL
    dpkg-deb --build "$folder" "$folder.deb" >>"$debian_log" 2>&1 || return 1
    of_suite "$suite" apt-get -qq --simulate --no-install-recommends install "$folder.deb" 2>>"$debian_log" |
        sed -n 's/^Inst \([^ ]*\) .*/\1/p' | { grep -vx wanted || true; } | paste -s -d ,
}

# need_suite SUITE: reads that suite's package lists, for of_suite.
need_suite() {
    local folder=$tools_state/apt/$1
    mkdir -p "$folder"/{lists,archives}/partial
    # Nothing is installed there.
    : >"$folder/status"
    printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' "$(debian_mirror)" "$1" \
        >"$folder/sources.list"
    of_suite "$1" apt-get -qq update </dev/null
}

# of_suite SUITE COMMAND…: apt-get or apt-cache for that suite of Debian, with lists and caches of its own: what is
# installed in this machine, and where it gets its packages from, does not matter.
of_suite() {
    local folder=$tools_state/apt/$1 command=$2
    shift 2
    "$command" -o Dir::State="$folder" -o Dir::State::lists="$folder/lists" -o Dir::State::status="$folder/status" \
        -o Dir::Cache="$folder" -o Dir::Cache::archives="$folder/archives" \
        -o Dir::Etc::sourcelist="$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null \
        -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null -o APT::Sandbox::User=root "$@"
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
