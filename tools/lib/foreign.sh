# shellcheck shell=bash
# Debian packages of another release or another architecture, unpacked into a folder: nothing in them is run, and
# nothing is installed on this machine. Needs log.sh and packages.sh.

: "${tools_state:?}"

# unpack_system FOLDER SUITE ARCHITECTURE PACKAGE…: the packages with all that they depend on, as one tree. What apt
# keeps is in FOLDER.apt: the packages are downloaded once, and apt has checked their sums and the archive's signature.
unpack_system() {
    local folder=$1 suite=$2 architecture=$3 package
    shift 3
    foreign_apt "$folder.apt" "$suite" "$architecture" --download-only install "$@"
    rm -rf "$folder"
    # Without a package's own /lib beside /usr/lib: the release has them merged.
    mkdir -p "$folder"/usr/{bin,sbin,lib}
    for package in bin sbin lib; do ln -s "usr/$package" "$folder/$package"; done
    for package in "$folder.apt"/archives/*.deb; do unpack_into "$folder" "$package"; done
    relative_links "$folder"
}

# unpack_into FOLDER PACKAGE.deb [TAR OPTION…]
unpack_into() {
    local folder=$1 package=$2
    shift 2
    dpkg-deb --fsys-tarfile "$package" | tar -x --keep-directory-symlink -C "$folder" "$@" || fail "$package cannot be unpacked"
}

# relative_links FOLDER: absolute links of libraries would point out of it.
relative_links() {
    local link
    while read -r link; do ln -sfnr "$1$(readlink "$link")" "$link"; done < <(find "$1/usr/lib" -type l -lname '/*')
}

# foreign_apt STATE SUITE ARCHITECTURE WORD…: apt-get for that release and architecture, of which only failures are shown.
foreign_apt() {
    local state=$1 suite=$2 architecture=$3
    shift 3
    mkdir -p "${state%/*}"
    quietly "$state.log" apt_of "$state" "$suite" "$architecture" apt-get -y "$@" ||
        fail "apt cannot do this for $suite, $architecture: $*"
}

# apt_of STATE SUITE ARCHITECTURE COMMAND…: apt-get or apt-cache with lists and caches of its own: what is installed in this
# machine, and where it gets its packages from, does not matter. Lists are read again after a day.
apt_of() {
    local state=$1 suite=$2 architecture=$3 command=$4
    shift 4
    mkdir -p "$state"/{lists,archives}/partial
    # No package counts as installed.
    : >"$state/status"
    local options=(
        -o "Dir::State=$state" -o "Dir::State::lists=$state/lists" -o "Dir::State::status=$state/status"
        -o "Dir::Cache=$state" -o "Dir::Cache::archives=$state/archives" -o "Dir::Etc::sourcelist=$state/sources.list"
        -o Dir::Etc::sourceparts=/dev/null -o Dir::Etc::preferences=/dev/null -o Dir::Etc::preferencesparts=/dev/null
        -o "APT::Architecture=$architecture" -o "APT::Architectures=$architecture" -o APT::Sandbox::User=root
        -o Debug::NoLocking=1 -o APT::Install-Recommends=false)
    if [[ -z $(find "$state/updated" -mtime 0 2>/dev/null) ]]; then
        need_packages debian-archive-keyring
        printf 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] %s %s main\n' "$(debian_mirror)" "$suite" \
            >"$state/sources.list"
        apt-get "${options[@]}" -qq update </dev/null >&2 || return
        touch "$state/updated"
    fi
    "$command" "${options[@]}" "$@" </dev/null
}

# Where this machine's own packages come from. All releases are there.
debian_mirror() {
    local mirror
    # shellcheck disable=SC2016  # apt's own words
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null |
        grep -m 1 -E '/debian/?$' || true)
    printf '%s\n' "${mirror:-http://deb.debian.org/debian}"
}

# need_emulation ARCHITECTURE: lets this machine's kernel run programs of another architecture, by QEMU's user mode. That
# is what Debian's qemu-user-static does where systemd runs.
need_emulation() {
    local name
    case $1 in
    "$(dpkg --print-architecture)") return 0 ;;
    arm64) name=qemu-aarch64 ;;
    *) fail "there is no emulation of $1 here" ;;
    esac
    need_packages qemu-user-static
    local folder=/proc/sys/fs/binfmt_misc
    [[ ! -e $folder/$name ]] || return 0
    [[ -e $folder/register ]] || as_root mount -t binfmt_misc binfmt_misc "$folder" ||
        fail "the kernel has no binfmt_misc; load its module, and run this again"
    [[ -e $folder/$name ]] || as_root tee "$folder/register" <"/usr/lib/binfmt.d/$name.conf" >/dev/null ||
        fail "the kernel does not take $name for binfmt_misc"
}
