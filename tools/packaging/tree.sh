# shellcheck shell=bash
# Puts the packages' files into their folders below tree/PACKAGE/. Sourced by tools/package.

: "${project:?}"

# lay_out PROGRAMS STAGE DATE [NATIVE]: puts the programs of a folder into STAGE/tree. The date is for the manual. NATIVE is
# the folder of the same programs for this machine, which are asked for manuals and completion, where PROGRAMS are for
# another one.
lay_out() {
    local programs=$1 stage=$2 date=$3 native=${4:-$1} program
    while read -r program; do
        lay_out_program "$program" "$stage/tree/$(package_of "$program")"
    done < <(shipped_programs)
    lay_out_service "$stage/tree/beacond"
    lay_out_content_service "$stage/tree/beacon-content-server"
    local package
    for package in "$stage"/tree/*; do
        take_runtime "$package"
        lay_out_documents "$package"
    done
}

# The products in the package manifest.
shipped_programs() {
    swift package --package-path "$project" dump-package |
        python3 -c 'import json, sys
for product in json.load(sys.stdin)["products"]:
    if "executable" in product["type"]: print(product["name"])'
}

# The content server usually runs on another machine than the daemon.
package_of() {
    case $1 in
    beacon-content-*) echo beacon-content-server ;;
    *) echo beacond ;;
    esac
}

# lay_out_program PROGRAM ROOT: with its manual and completion. Programs that only other programs call go to libexec.
lay_out_program() {
    local program=$1 root=$2 section=1
    case $program in
    *ctl-* | *-images)
        install -D -m 755 "$programs/$program" "$root/usr/libexec/beacond/$program"
        return
        ;;
    beacond | *-server) section=8 ;;
    esac
    install -D -m 755 "$programs/$program" "$root/usr/bin/$program"
    local extra=$project/docs/man/$program.mdoc
    [[ -f $extra ]] || extra=/dev/null
    mkdir -p "$root/usr/share/man/man$section"
    packaging man.py program "$program" "$section" "$native" "$extra" "$date" \
        >"$root/usr/share/man/man$section/$program.$section"
    local shells=$root/usr/share
    mkdir -p "$shells"/{bash-completion/completions,zsh/vendor-completions,fish/vendor_completions.d}
    packaging completion.py bash "$native" "$program" >"$shells/bash-completion/completions/$program"
    packaging completion.py zsh "$native" "$program" >"$shells/zsh/vendor-completions/_$program"
    packaging completion.py fish "$native" "$program" >"$shells/fish/vendor_completions.d/$program.fish"
}

packaging() {
    local script=$1
    shift
    PYTHONDONTWRITEBYTECODE=1 python3 "$project/tools/packaging/$script" "$@"
}

# lay_out_service ROOT: units, users, folders, settings.
lay_out_service() {
    local root=$1 file
    for file in "$project"/systemd/*.{service,socket,timer,path}; do
        [[ ! -f $file || $file == */beacon-content-* ]] || install -D -m 644 "$file" "$root/lib/systemd/system/${file##*/}"
    done
    for file in "$project"/systemd/*.sysusers; do
        [[ $file != */beacon-content-* ]] || continue
        install -D -m 644 "$file" "$root/usr/lib/sysusers.d/$(basename "$file" .sysusers).conf"
    done
    for file in "$project"/systemd/*.tmpfiles; do
        [[ $file != */beacon-content-* ]] || continue
        install -D -m 644 "$file" "$root/usr/lib/tmpfiles.d/$(basename "$file" .tmpfiles).conf"
    done
    install -D -m 644 "$project/systemd/beacon-fleet.default" "$root/etc/default/beacon-fleet"
    # The bus's policies.
    for file in "$project"/systemd/*.conf; do
        [[ ! -f $file ]] || install -D -m 644 "$file" "$root/usr/share/dbus-1/system.d/${file##*/}"
    done
    install -d -m 755 "$root/etc/beacond/advertise"
    install -d -m 700 "$root/etc/beacond/secrets"
    packaging configuration.py "$project/docs/configuration.md" >"$root/etc/beacond/beacond.yaml"
    chmod 644 "$root/etc/beacond/beacond.yaml"
    lay_out_file_pages "$root"
    install -d "$root/usr/share/doc/beacond/examples"
    install -m 644 "$project"/systemd/examples/* "$root/usr/share/doc/beacond/examples/"
}

# lay_out_file_pages ROOT: the manual's pages on files.
lay_out_file_pages() {
    mkdir -p "$1/usr/share/man/man5"
    file_page "$1" beacond.yaml configuration.md "settings of beacond"
    file_page "$1" beacond-scenario scenarios.md "beacons and visitors on the emulated air"
    file_page "$1" beacond-scene scenes.md "scripts for beacon-advertise"
    file_page "$1" beacond-observations observations.md "what scanners received, as CSV"
    file_page "$1" beacond-site content.md "the files of a content site"
    file_page "$1" beacon-fleet-plan fleet.md "places of scanners, outlines of rooms, and plans of floors" \
        "Where rooms are" "Plans of floors" "From recordings"
}

# file_page ROOT NAME DOCUMENT ABOUT [TITLE…]
file_page() {
    local root=$1 name=$2 document=$3
    shift 3
    packaging man.py file "$name" 5 "$project/docs/$document" "$project/docs/man/$name.mdoc" "$date" "$@" \
        >"$root/usr/share/man/man5/$name.5"
}

# lay_out_content_service ROOT: the content server's unit, user, options, and the third-party scripts of its pages.
lay_out_content_service() {
    local root=$1 name=beacon-content-server
    install -D -m 644 "$project/systemd/$name.service" "$root/lib/systemd/system/$name.service"
    install -D -m 644 "$project/systemd/$name.sysusers" "$root/usr/lib/sysusers.d/$name.conf"
    install -D -m 644 "$project/systemd/$name.tmpfiles" "$root/usr/lib/tmpfiles.d/$name.conf"
    install -D -m 644 "$project/systemd/$name.default" "$root/etc/default/$name"
    mkdir -p "$root/usr/share/$name"
    cp -rL "$("$project/tools/web-assets")" "$root/usr/share/$name/vendor"
    chmod -R u=rwX,go=rX "$root/usr/share/$name/vendor"
}

# take_runtime ROOT: copies the Swift libraries that the package's programs need, once, into a folder of the package
# where the programs look for them. Static linking would need more space: every program would have its own ICU.
take_runtime() {
    local root=$1 folder program library
    folder=/usr/lib/${root##*/}
    mkdir -p "$root$folder"
    while read -r program; do
        while read -r library; do
            [[ -e $root$folder/${library##*/} ]] || install -m 644 "$library" "$root$folder/"
        done < <(own_libraries "$program")
        chrpath --replace "$folder" "$program" >/dev/null
    done < <(find "$root/usr/bin" "$root/usr/libexec" -type f -perm -u+x 2>/dev/null)
}

# own_libraries PROGRAM: the libraries that no Debian package provides. Of a program for another architecture,
# `foreign_runtime` is the folder of Swift's.
foreign_runtime=
own_libraries() {
    if [[ -n $foreign_runtime ]]; then
        needed_libraries "$foreign_runtime" "$1"
    else
        ldd "$1" | awk '$3 ~ "^/" && $3 !~ "^/(usr/)?lib/[^/]*-linux-gnu/" { print $3 }'
    fi
}

# lay_out_documents ROOT
lay_out_documents() {
    local folder=$1/usr/share/doc/${1##*/} file
    mkdir -p "$folder"
    third_party_notices >"$folder/third-party-notices"
    [[ ${1##*/} == beacond ]] || return 0
    # Only files that git knows, so that no draft is included. Executable files stay executable.
    documents | grep -v '^docs/man/' | while read -r file; do
        local mode=644
        [[ ! -x $project/$file ]] || mode=755
        install -D -m "$mode" "$project/$file" "$folder/$file"
    done
}

documents() {
    local names=(README.md CHANGELOG.md docs examples clients/python/README.md)
    if [[ -e $project/.git ]]; then
        git -C "$project" ls-files "${names[@]}"
    else
        (cd "$project" && find "${names[@]}" -type f)
    fi
}

# The notices of all linked libraries and of the runtime.
third_party_notices() {
    local folder file
    echo "What the programs of this package contain or bring besides beacond's own code."
    for folder in "$project"/.build/checkouts/*/; do
        for file in "$folder"LICENSE* "$folder"NOTICE*; do
            [[ -f $file ]] || continue
            printf '\n==== %s: %s\n\n' "$(basename "$folder")" "${file##*/}"
            cat "$file"
        done
    done
    # Linked statically into beacon-content-server.
    file=/usr/share/doc/libgumbo-dev/copyright
    if [[ -f $file ]]; then
        printf '\n==== libgumbo\n\n'
        cat "$file"
    fi
    file=$(dirname "$(readlink -f "$(command -v swift)")")/../share/swift/LICENSE.txt
    if [[ -f $file ]]; then
        printf '\n==== the Swift runtime\n\n'
        cat "$file"
    fi
}
