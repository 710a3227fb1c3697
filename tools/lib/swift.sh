# shellcheck shell=bash
# The Swift toolchain, and the only build function of all scripts. Needs log.sh.

: "${project:?}"

# need_swift: checks for a toolchain of at least 6.2.
need_swift() {
    local where='https://www.swift.org/install/linux has it (swiftly install 6.3); Debian sid has 6.2 (swiftlang)'
    command -v swift >/dev/null || fail "there is no swift in PATH; $where"
    local version
    version=$(swift --version 2>&1 | sed -n 's/.*Swift version \([0-9.]*\).*/\1/p' | head -n 1)
    [[ -n $version ]] || fail "swift --version does not tell a version; is the toolchain complete? $where"
    [[ $(printf '%s\n' 6.2 "$version" | sort -V | head -n 1) == 6.2 ]] ||
        fail "Swift 6.2 or later is needed, this is $version; $where"
}

# Without debug information, which takes a sixth of the compiler's time for programs and a third for tests; packages are
# stripped of it anyway. For a debugger there is `swift build`.
#
# Every function is in a section of its own, and public ones are visible inside the program only, so that the linker leaves
# out those that nobody calls. Otherwise Swift has it keep all that is public, and programs are a quarter larger.
release_options=(-c release -debug-info-format none
    -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xfrontend -Xswiftc -internalize-at-link
    -Xcc -ffunction-sections -Xcc -fdata-sections)

# build_release LOG [OPTION…]: the release build. Programs, tests and benchmarks share its products: tools/test adds
# `--build-tests`, which compiles no program again.
#
# With $BEACOND_REPRODUCIBLE the programs do not depend on the folder in which they are built (docs/releases.md). Other
# builds lack these options, because a build with other options compiles everything again.
build_release() {
    local log=$1 options=("${release_options[@]}")
    shift
    [[ -z ${BEACOND_REPRODUCIBLE:-} ]] || mapfile -t -O "${#options[@]}" options < <(reproducible_options)
    swift_build_with_progress "$log" swift build --package-path "$project" "${options[@]}" "$@"
}

# reproducible_options: one per line. Paths in debug information and in C's __FILE__; the hash of the compiler's options
# in .swift_modhash; the build id, which is computed from all of these.
reproducible_options() {
    printf '%s\n' -Xswiftc -file-prefix-map -Xswiftc "$project=." -Xcc "-ffile-prefix-map=$project=." \
        -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen -Xlinker --build-id=none
}

# Without optimisation, which takes half as long, and without debug information.
demo_options=(-debug-info-format none)

# build_for_demo LOG OPTION…
build_for_demo() {
    local log=$1
    shift
    swift_build_with_progress "$log" swift build --package-path "$project" "${demo_options[@]}" "$@"
}

# Shows SwiftPM's `[12/345]` on one line of a terminal; elsewhere a few lines. The log has everything.
swift_build_with_progress() {
    local log=$1 status=0 began=$SECONDS
    shift
    if [[ -t 2 ]]; then
        "$@" 2>&1 </dev/null | tee "$log" | build_line || status=${PIPESTATUS[0]}
        printf '\r\033[K' >&2
    else
        "$@" >"$log" 2>&1 </dev/null || status=$?
    fi
    if ((status != 0)); then
        grep -E -A 6 'error:' "$log" | head -n 60 >&2 || tail -n 40 "$log" >&2
        fail "the build failed; the whole log is $log"
    fi
    say "Built in $((SECONDS - began)) s"
    compare_packages
}

# The packages of the last build, including those that the packages themselves need. Package.resolved is not in git,
# because it depends on the toolchain which of them are needed.
swift_pins=$project/tools/lib/swift-packages.txt

# resolved_packages [FILE]: identity, version and revision, one per line.
resolved_packages() {
    sed -n 's/^ *"\(identity\|revision\|version\)" : "\(.*\)".*/\1 \2/p' "${1:-$project/Package.resolved}" |
        awk '$1 == "identity" { name = $2 } $1 == "revision" { revision = $2 } $1 == "version" { print name, $2, revision }' |
        LC_ALL=C sort
}

# compare_packages [FILE]: warns of each package that differs from the pinned one (tools/pin packages).
compare_packages() {
    local resolved=${1:-$project/Package.resolved} difference
    [[ -f $resolved ]] || return 0
    difference=$(LC_ALL=C comm -3 "$swift_pins" <(resolved_packages "$resolved") |
        sed -e 's/^\t/used here:    /' -e t -e 's/^/written down: /')
    [[ -z $difference ]] ||
        warn "Package.resolved differs from tools/lib/swift-packages.txt:"$'\n'"$difference"$'\n'"look at what changed;" \
            "then write it down: tools/pin packages"
}

build_line() {
    local line width
    width=$(tput cols 2>/dev/null || echo 80)
    while IFS= read -r line; do
        printf '\r\033[K%s' "${line:0:width-1}" >&2
    done
}

# release_folder, debug_folder: the folder of the built programs.
debug_folder() { swift build --package-path "$project" --show-bin-path; }
release_folder() { swift build --package-path "$project" -c release --show-bin-path; }
