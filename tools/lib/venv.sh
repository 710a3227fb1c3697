# shellcheck shell=bash
# The Python environment of the tests' counterparts. Needs log.sh and packages.sh.

: "${project:?}" "${tools_state:?}"

# need_venv: prints the path of a folder with rootcanal and Bumble, made anew when the pins change.
need_venv() {
    local pins=$project/Tests/Peers/requirements.txt python=/usr/bin/python3 venv=$tools_state/venv
    if [[ -f $venv/pins.txt ]] && cmp -s "$pins" "$venv/pins.txt" && "$venv/bin/python" -c 'import bumble' 2>/dev/null; then
        printf '%s\n' "$venv"
        return 0
    fi
    need_packages python3 python3-venv
    # Debian's own Python: python3-venv belongs to it, and PATH may have another one first.
    [[ -x $python ]] || python=python3
    say "Installing rootcanal and Bumble below $venv"
    mkdir -p "$tools_state"
    rm -rf "$venv"
    quietly "$tools_state/venv.log" "$python" -m venv "$venv" ||
        fail "$python cannot make a virtual environment; on Debian, python3-venv is what it needs"
    quietly "$tools_state/venv.log" "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$pins" ||
        fail "pip cannot install $pins; is the network there?"
    cp "$pins" "$venv/pins.txt"
    printf '%s\n' "$venv"
}
