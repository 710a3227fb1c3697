# shellcheck shell=bash
# Debian's own Swift, in a Debian of its own. Sourced by tools/packaging/cross.sh and tools/native-build. Needs common.sh.

: "${project:?}"

# Debian has had Swift since its 13th release was frozen: only sid has it, and it moves.
swift_suite=sid

# need_debian_swift ROOT SIZES [PACKAGE…]: the compiler for this machine, and further packages. SIZES is what the user is
# told. It is entered by chroot, because it needs a newer C library.
need_debian_swift() {
    local root=$1 sizes=$2
    shift 2
    [[ ! -f $root/complete ]] || return 0
    say "Unpacking Debian's Swift below $root (once; $sizes)"
    unpack_system "$root" "$swift_suite" "$(dpkg --print-architecture)" \
        bash coreutils dash findutils grep sed swiftlang swiftlang-dev libc6-dev libstdc++-16-dev gcc git pkgconf \
        ca-certificates "$@"
    mkdir -p "$root"/{proc,dev,tmp,root,etc,work}
    touch "$root/complete"
}

# copy_source FOLDER: what is compiled, without what builds and tools have made.
copy_source() {
    need_packages rsync
    mkdir -p "$1"
    rsync -a --delete --exclude=/.git --exclude=/.build --exclude=/.tools --exclude=/packages --exclude=/Package.resolved \
        "$project/" "$1/"
}
