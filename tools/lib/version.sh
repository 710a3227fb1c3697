# shellcheck shell=bash
# The version. It is written in Sources/Text/SoftwareVersion.swift; the newest section of CHANGELOG.md has the same, and
# its date if it is released. Needs log.sh.

: "${project:?}"

# source_version: 0.1.0
source_version() {
    sed -n 's/^ *package static let text = "\(.*\)"$/\1/p' "$project/Sources/Text/SoftwareVersion.swift"
}

# newest_heading: `0.1.0 — unreleased` or `0.1.0 — 2026-01-31`
newest_heading() { sed -n 's/^## //p' "$project/CHANGELOG.md" | head -n 1; }

# is_released: whether the newest section has a date.
is_released() { [[ $(newest_heading) =~ \ —\ [0-9]{4}-[0-9]{2}-[0-9]{2}$ ]]; }

# check_versions: fails if the two places differ.
check_versions() {
    local version newest
    version=$(source_version)
    newest=$(newest_heading)
    [[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] ||
        fail "Sources/Text/SoftwareVersion.swift has the version '$version'; write three numbers: 1.2.3"
    [[ ${newest%% *} == "$version" ]] ||
        fail "the newest section of CHANGELOG.md is '## $newest', and Sources/Text/SoftwareVersion.swift says $version;" \
            "write the same version in both"
}

# source_time: seconds since the epoch of the last commit. A source archive has it as the time of its files.
source_time() {
    if [[ -e $project/.git ]]; then
        git -C "$project" log -1 --format=%ct
    else
        stat -c %Y "$project/CHANGELOG.md"
    fi
}

# package_version: the version of packages. One without a date is not released yet, so its packages must sort before it:
# 0.1.0~git… It needs SOURCE_DATE_EPOCH.
package_version() {
    local version
    version=$(source_version)
    is_released || version+="~git$(date --utc --date="@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S)"
    printf '%s\n' "$version"
}
