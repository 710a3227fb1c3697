# shellcheck shell=bash
# Builds the programs for another architecture, on amd64, with Debian's own Swift. Nothing of the other architecture is
# run. Sourced by tools/package and tools/arm64-test. Needs common.sh.

: "${project:?}" "${tools_state:?}"

# shellcheck source=tools/packaging/debian-swift.sh
source "$project/tools/packaging/debian-swift.sh"

# What the programs are linked to: they run on this release and on newer ones.
cross_suite=bookworm
# Which version made the packages last.
cross_versions=$project/tools/packaging/cross-versions.txt
# Where the compiler sees the project and what it is built with. Programs contain these paths.
cross_inside=/build

# need_cross ARCHITECTURE: the compiler, and what it links to. Sets `cross`, the folder of both.
need_cross() {
    [[ $(dpkg --print-architecture) == amd64 ]] || fail "programs for $1 are built on amd64 only; this is $(dpkg --print-architecture)"
    case $1 in
    arm64) cross_gnu=aarch64-linux-gnu cross_triple=aarch64-unknown-linux-gnu ;;
    *) fail "there is no build for $1 here: only for arm64" ;;
    esac
    cross=$tools_state/cross
    mkdir -p "$cross"
    need_packages "binutils-$cross_gnu" "gcc-$cross_gnu" chrpath
    need_debian_swift "$cross/compiler" "600 MB to download, 3 GB"
    need_cross_sysroot "$1"
    write_cross_sdk
    compare_cross_versions
}

# The libraries and headers of the other architecture, with Swift's among them.
need_cross_sysroot() {
    local architecture=$1 root=$cross/$1
    [[ ! -f $root/complete ]] || return 0
    say "Unpacking Debian's libraries for $architecture below $root (once; 600 MB to download, 1 GB)"
    unpack_system "$root" "$cross_suite" "$architecture" \
        libc6-dev libstdc++-12-dev linux-libc-dev libbluetooth-dev libdbus-1-dev libgumbo-dev libmosquitto-dev \
        libsystemd-dev libyaml-dev libsqlite3-dev zlib1g-dev
    take_swift "$architecture" "$root"
    touch "$root/complete"
}

# take_swift ARCHITECTURE ROOT: of the compiler's package only what programs are made of.
take_swift() {
    local architecture=$1 root=$2 state=$cross/swift-$1.apt lib=usr/libexec/swift/lib new=$cross/swift-$1
    foreign_apt "$state" "$swift_suite" "$architecture" --download-only install swiftlang libswiftlang
    rm -rf "$new"
    mkdir -p "$new" "$root/usr/lib/swift"
    unpack_into "$new" "$(echo "$state"/archives/libswiftlang_*.deb)"
    unpack_into "$new" "$(echo "$state"/archives/swiftlang_*.deb)" \
        --exclude '*/embedded' "./$lib/swift" "./$lib/swift_static" "./$lib/clang"
    cp -a "$new/$lib/." "$root/usr/lib/"
    rm -rf "$new"
    suit_older_debian "$root"
}

# The description of the other architecture for SwiftPM, with the paths that in_compiler gives.
write_cross_sdk() {
    local bundle=$cross/sdks/cross.artifactbundle version
    version=$(swift_of compiler | sed 's/-.*//')
    mkdir -p "$bundle/cross"
    cat >"$bundle/info.json" <<END
{ "schemaVersion": "1.0", "artifacts": { "cross": { "type": "swiftSDK", "version": "$version",
  "variants": [ { "path": "cross" } ] } } }
END
    cat >"$bundle/cross/swift-sdk.json" <<END
{ "schemaVersion": "4.0", "targetTriples": { "$cross_triple": {
  "sdkRootPath": "$cross_inside/root", "swiftResourcesPath": "$cross_inside/root/usr/lib/swift",
  "swiftStaticResourcesPath": "$cross_inside/root/usr/lib/swift_static", "toolsetPaths": [ "toolset.json" ] } } }
END
    cat >"$bundle/cross/toolset.json" <<END
{ "schemaVersion": "1.0", "swiftCompiler": { "extraCLIOptions": ["-use-ld=lld"] },
  "linker": { "extraCLIOptions": ["--no-as-needed", "-l${cross_compatibility}"] } }
END
}

# cross_build ARCHITECTURE LOG PRODUCT…: builds programs. cross_programs says where they are.
cross_build() {
    local architecture=$1 log=$2 product
    shift 2
    copy_source "$cross/source"
    for product; do
        swift_build_with_progress "$log" in_compiler "$architecture" \
            swift build "${release_options[@]}" --package-path "$cross_inside/source" \
            --scratch-path "$cross_inside/products" --swift-sdks-path "$cross_inside/sdks" --swift-sdk cross \
            --product "$product"
    done
}

cross_programs() { printf '%s\n' "$cross/products-$1/$cross_triple/release"; }

# in_compiler ARCHITECTURE COMMAND…: runs a command in the compiler's Debian.
in_compiler() {
    local architecture=$1
    shift
    mkdir -p "$cross"/{source,sdks,home} "$cross/products-$architecture"
    local inside=$cross_inside
    as_root unshare --mount --propagation private \
        bash "$project/tools/packaging/in-system" "$cross" "$cross/compiler" "$cross/source=$inside/source" \
        "$cross/products-$architecture=$inside/products" "$cross/sdks=$inside/sdks" "$cross/$architecture=$inside/root" -- \
        PKG_CONFIG_SYSROOT_DIR="$inside/root" PKG_CONFIG_PATH="$inside/root/usr/lib/$cross_gnu/pkgconfig" \
        PKG_CONFIG_LIBDIR="$inside/root/usr/lib/$cross_gnu/pkgconfig:$inside/root/usr/share/pkgconfig" "$@"
}

# compare_cross_versions: warns where Debian has another Swift than the one that was written down.
compare_cross_versions() {
    local now
    now=$(cross_versions_now)
    [[ $now == "$(grep -v '^#' "$cross_versions" 2>/dev/null)" ]] ||
        warn "Debian's packages differ from those in ${cross_versions#"$project"/}:"$'\n'"$now"
}

# What the packages depend on most. The compiler and the libraries of Swift must be of one version.
cross_versions_now() {
    printf 'compiler %s\n' "$(swift_of compiler)"
    local state
    for state in "$cross"/swift-*.apt; do
        printf 'libraries %s %s\n' "$(basename "${state#*/swift-}" .apt)" "$(swift_of "$(basename "$state" .apt)")"
    done
}

# swift_of NAME: the version of the package in what apt has downloaded for this folder.
swift_of() { dpkg-deb -f "$(echo "$cross/$1.apt"/archives/swiftlang_*.deb)" Version; }

# needed_libraries FOLDER PROGRAM…: the files of the folder that the programs need, and those in turn: what ldd says of
# programs of this machine.
needed_libraries() {
    local folder=$1 name file queue
    local -A seen=()
    shift
    queue=("$@")
    while ((${#queue[@]})); do
        file=${queue[0]} queue=("${queue[@]:1}")
        while read -r name; do
            [[ -e $folder/$name && -z ${seen[$name]:-} ]] || continue
            seen[$name]=yes
            queue+=("$folder/$name")
            printf '%s\n' "$folder/$name"
        done < <(readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
    done
}

# The newest versions of symbols that Debian 12 has, and the name of the library with what it lacks.
cross_limits=GLIBC_2.36,GLIBCXX_3.4.30
cross_compatibility=beacond-compat

# suit_older_debian ROOT: Debian's Swift is made for a newer C library. Lets its libraries load with that of Debian 12,
# too: see old_glibc.py. What that lacks is in a library that every program is linked to.
suit_older_debian() {
    local folder=$1/usr/lib/swift/linux name=lib$cross_compatibility.so
    "$cross_gnu-gcc" "--sysroot=$1" -O2 -fno-builtin -fPIC -shared -nostdlib -s "-Wl,-soname,$name" \
        -Wl,--build-id=none -o "$folder/$name" "$project/tools/packaging/old_glibc.c" -lc
    chmod 644 "$folder/$name"
    quietly "$cross/old-glibc.log" python3 -B "$project/tools/packaging/old_glibc.py" "$cross_limits" "$folder"/*.so
}

# cross_dpkg_database ARCHITECTURE: prints a database with which dpkg-shlibdeps knows the libraries of the other
# architecture: nothing of it is installed here.
cross_dpkg_database() {
    local architecture=$1 root=$cross/$1 database=$cross/$1.dpkg package name file
    printf '%s\n' "$database"
    [[ ! -f $database/complete ]] || return 0
    rm -rf "$database"
    mkdir -p "$database/info"
    echo 1 >"$database/info/format"
    : >"$database/status"
    for package in "$root.apt/archives"/*.deb; do
        rm -rf "$database/control"
        dpkg-deb -e "$package" "$database/control"
        [[ -e $database/control/symbols || -e $database/control/shlibs ]] || continue
        name=$(dpkg-deb -f "$package" Package)
        [[ $(dpkg-deb -f "$package" Multi-Arch) != same ]] || name+=:$architecture
        { dpkg-deb -f "$package" | sed '1a Status: install ok installed' && echo; } >>"$database/status"
        for file in symbols shlibs; do
            [[ ! -e $database/control/$file ]] || cp "$database/control/$file" "$database/info/$name.$file"
        done
        # dpkg-shlibdeps finds the files where they are unpacked.
        dpkg-deb --fsys-tarfile "$package" | tar -t |
            sed -e 's#^\.##' -e 's#/$##' -e '/^$/d' -e 's#^/lib/#/usr/lib/#' -e "s#^#$root#" >"$database/info/$name.list"
    done
    rm -rf "$database/control"
    touch "$database/complete"
}
