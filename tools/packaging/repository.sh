# shellcheck shell=bash
# Makes an apt repository of packages, as static files. Sourced by tools/package. Needs common.sh.

: "${tools_state:?}"

# The Debian releases whose users it serves. One package is for all of them.
repository_suites=(bookworm trixie)

# The own key's folder: never the user's, also where GNUPGHOME is exported.
own_key_folder=$tools_state/repository/keys
key_folder=$own_key_folder

# publish_repository FOLDER URL KEY PACKAGE…: adds packages to the repository in FOLDER, which is made if it is not
# there. What it has of other versions is replaced, and of other architectures stays. URL is where users reach it; KEY is
# a GnuPG key's name, or empty for one of its own.
publish_repository() {
    local folder=$1 url=${2%/} key=$3 own="" suite
    shift 3
    need_packages reprepro gpg gpg-agent
    mkdir -p "$folder"
    folder=$(cd "$folder" && pwd)
    if [[ -n $key ]]; then
        # A key that the user names is in the user's own folder.
        key_folder=${GNUPGHOME:-$HOME/.gnupg}
        gpg_home gpg --batch --list-secret-keys "$key" >/dev/null 2>&1 ||
            fail "there is no key $key in $key_folder; gpg --list-secret-keys shows those that there are"
    else
        own=yes
        key_folder=$own_key_folder
        key=$(own_key)
    fi
    # Users of the repository must not read the configuration, the database and the signing key.
    local state=$tools_state/repository
    mkdir -p "$state/conf"
    write_distributions "$key" >"$state/conf/distributions"
    # The folder may come from another machine, so the database is made again from its files.
    rm -rf "$state/db"
    local package
    local packages=("$@")
    while read -r package; do packages=("$package" "${packages[@]}"); done < <(find "$folder/pool" -name '*.deb' 2>/dev/null | sort)
    mkdir -p "$state/incoming"
    rm -rf "$state/incoming"/*
    for package in "${packages[@]}"; do cp "$package" "$state/incoming/"; done
    # The published files stay until everything is signed.
    rm -rf "$state/site"
    for suite in "${repository_suites[@]}"; do
        for package in "$state/incoming"/*.deb; do
            gpg_home quietly "$tools_state/repository.log" reprepro --basedir "$state" --outdir "$state/site" --silent \
                includedeb "$suite" "$package" || fail "reprepro refused $package"
        done
    done
    put_in_place "$state/site" "$folder"
    gpg_home gpg --batch --armor --export "$key" >"$folder/beacond.asc"
    for suite in "${repository_suites[@]}"; do write_source "$folder" "$url" "$suite" >"$folder/$suite.sources"; done
    rm -rf "$state/incoming"
    # The agent was started only for this, unless the key is the user's.
    [[ -z $own ]] || gpg_home gpgconf --kill gpg-agent
    say "The repository is $folder; users need $url/SUITE.sources (${repository_suites[*]})"
}

# put_in_place SITE FOLDER: the new files take the place of the old ones. Packages come before the index that names them,
# and leave after it, so that users find each file of the index that they have. Wherever this is interrupted, the pool has
# whole packages only, and all that the next run needs.
put_in_place() {
    local site=$1 folder=$2 file
    while read -r file; do
        cmp -s "$site/pool/$file" "$folder/pool/$file" && continue
        mkdir -p "$folder/pool/${file%/*}"
        # The end of its name keeps it from being taken for a package while it is not whole.
        cp "$site/pool/$file" "$folder/pool/$file.new"
        mv "$folder/pool/$file.new" "$folder/pool/$file"
    done < <(cd "$site/pool" && find . -type f | sort)
    rm -rf "$folder/dists.new" "$folder/dists.old"
    cp -r "$site/dists" "$folder/dists.new"
    [[ ! -e $folder/dists ]] || mv "$folder/dists" "$folder/dists.old"
    mv "$folder/dists.new" "$folder/dists"
    rm -rf "$folder/dists.old"
    while read -r file; do
        [[ -e $site/pool/$file ]] || rm "$folder/pool/$file"
    done < <(cd "$folder/pool" && find . -type f | sort)
    find "$folder/pool" -mindepth 1 -type d -empty -delete
}

write_distributions() {
    local suite
    for suite in "${repository_suites[@]}"; do
        cat <<END
Origin: beacond
Label: beacond
Codename: $suite
Architectures: amd64 arm64
Components: main
Description: Listens for iBeacons, and shows what belongs to them
SignWith: $1

END
    done
}

# A key that signs the repository, where nobody has named another. It is made once, and kept.
own_key() {
    local name='beacond repository'
    if ! gpg_home gpg --batch --list-secret-keys "$name" >/dev/null 2>&1; then
        say "Making a key that signs the repository, in $own_key_folder: keep a copy of it"
        (umask 077 && mkdir -p "$own_key_folder")
        gpg_home gpg --batch --quiet --passphrase '' --quick-generate-key "$name" rsa3072 sign never >&2
    fi
    gpg_home gpg --batch --with-colons --list-secret-keys "$name" | awk -F: '$1 == "fpr" { print $10; exit }'
}

# gpg_home COMMAND…: with the folder in which the key is.
gpg_home() {
    GNUPGHOME=$key_folder "$@"
}

# What apt needs to know, with the key in it (deb822: man sources.list).
write_source() {
    cat <<END
Types: deb
URIs: $2
Suites: $3
Components: main
Signed-By:
$(sed -e 's/^$/./' -e 's/^/ /' "$1/beacond.asc")
END
}
