# shellcheck shell=bash
# Checks of a tool's own tests, one after the other, and their sum. Sourced by common.sh.

passed=0
failed=0
skipped=0

# check WHAT COMMAND…: prints "ok", or "FAIL" with the end of COMMAND's output. Lines "figure: TEXT" are always shown.
check() {
    local what=$1 log began=$SECONDS status=0
    shift
    log=$(mktemp)
    # Not as a condition: the shell would continue after errors inside it.
    set +e
    (set -e && "$@") >"$log" 2>&1 </dev/null
    status=$?
    set -e
    if ((status == 0)); then
        passed=$((passed + 1))
        echo "  ok    $what ($((SECONDS - began)) s)"
        sed -n 's/^figure: /        /p' "$log"
    else
        failed=$((failed + 1))
        echo "  FAIL  $what"
        tail -n 40 "$log" | sed 's/^/        /'
    fi
    rm -f "$log"
}

# until_true SECONDS COMMAND…: runs COMMAND until it succeeds; fails if it does not in this time.
until_true() {
    local end=$((SECONDS + $1))
    shift
    until "$@" 2>/dev/null; do
        ((SECONDS < end)) || return 1
        sleep 0.2
    done
}

# make_empty_package FOLDER ARCHITECTURE VERSION: a package of beacond without files.
make_empty_package() {
    local root
    mkdir -p "$1"
    root=$(mktemp -d)
    chmod 755 "$root"
    mkdir "$root/DEBIAN"
    printf '%s\n' 'Package: beacond' "Version: $3" "Architecture: $2" 'Section: misc' 'Priority: optional' \
        'Maintainer: nobody <nobody@example.org>' 'Description: for a test' >"$root/DEBIAN/control"
    dpkg-deb --build --root-owner-group "$root" "$1/beacond_$3_$2.deb"
    rm -rf "$root"
}

# sum_of_checks: prints the last line that tools/test reads. The status is 1 if a check failed.
sum_of_checks() {
    if ((skipped)); then
        echo "$passed passed, $failed failed, $skipped skipped"
    else
        echo "$passed passed, $failed failed"
    fi
    ((failed == 0))
}
