# shellcheck shell=bash
# The programs and the workload of all benchmarks. Needs log.sh and swift.sh.

: "${project:?}" "${tools_state:?}"

# bench_programs: builds the C reference and the launcher that measures.
bench_programs() {
    local program
    for program in c_baseline measure; do
        gcc -O2 -Wall -Wextra -o "$tools_state/bench/$program" "$project/tools/bench/$program.c"
    done
}

# bench_workload EVENTS: writes the captures with so many reports, unless they are there.
bench_workload() {
    local events=$1 folder=$tools_state/bench generator=$project/tools/bench/workload.py
    # The generator itself is the stamp, because its output depends on nothing else.
    cmp -s "$generator" "$folder/$events.made-by" && return
    say "Writing a capture of $events reports"
    python3 "$generator" "$events" "$folder" >/dev/null
    cp "$generator" "$folder/$events.made-by"
}

# bench_product NAME LOG: builds a program of Benchmarks, and sets $product to its path.
bench_product() {
    local options=(--package-path "$project/Benchmarks" "${release_options[@]}" --product "$1")
    say "Building (log: $2)"
    swift_build_with_progress "$2" swift build "${options[@]}"
    # shellcheck disable=SC2034  # for the script that sources this
    product=$(swift build "${options[@]}" --show-bin-path)/$1
}
