// Where content comes from, how much of it is fetched when, and what it must be signed with.
extension Setting {
    static let content: [Setting] = [
        Setting(
            "content.base_url", .text(\.content.baseURL), .restarts(["content"]), option: .baseURL,
            "the content site; its files are below `/v1/`. Without it beacons are ranked and nothing is fetched"),
        Setting(
            "content.token_file", .file(\.content.tokenFile), .restarts(["content"]),
            "a file that holds a bearer token for the site; without it, the credential `content-token` that "
                + "systemd hands over (`LoadCredential=content-token:FILE`)"),
        Setting(
            "content.public_keys", .texts(\.content.publicKeys), .restarts(["content"]),
            "keys of which one must have signed the site list: base64, hexadecimal digits, or a file with the PEM "
                + "text; `NAME:` before a key or a file binds it to lists with this `key_id`. With at least one, "
                + "nothing unsigned is accepted or shown"),
        Setting(
            "content.prefetch", .choice(["off", "likely", "everything"], \.content.prefetch), .restarts(["content"]),
            "what is fetched before it is wanted: `off`; `likely` (beacons in range, and where visitors went next "
                + "so far); `everything` (these first, then the rest of the site as far as the quota allows)"),
        Setting(
            "content.sync_interval_s", .number(1...604_800, \.content.syncInterval), .restarts(["content"]),
            "seconds between two checks of the site list; SIGUSR1 makes the daemon sync everything at once"),
        Setting(
            "content.quota_bytes", .limit(0...Int.max, \.content.quota), .restarts(["content"]),
            "the most that content may take on the disk: files, unfinished files, manifests and the list; `0` for no "
                + "limit. What the nearest, the likely next and the pinned beacons need is never evicted"),
        Setting(
            "content.pinned", .texts(\.content.pinned), .restarts(["content"]),
            "beacons whose content is never evicted, as `UUID/MAJOR/MINOR`; what is only in range makes room for it"),
        Setting(
            "content.maximum_images", .count(1...10_000, \.content.maximumImages), .restarts(["content"]),
            "images to recognise that a beacon may have"),
        Setting(
            "content.parallel_transfers", .count(1...64, \.content.parallelTransfers), .restarts(["content"]),
            "files that are fetched at the same time"),
        Setting(
            "content.parallel_manifests", .count(1...1000, \.content.parallelManifests), .restarts(["content"]),
            "manifests that are synced at the same time when the whole site is; more take fewer flushes of the "
                + "disk and more memory"),
        Setting(
            "content.redirect_hosts", .texts(\.content.redirectHosts), .restarts(["content"]),
            "other hosts to which the site may redirect, such as a CDN's; they never get the token"),
        Setting(
            "content.proxy", .text(\.content.proxy), .restarts(["content"]),
            "an HTTP proxy (`http://HOST:PORT`), or `none`; without the setting, `http_proxy`, `https_proxy` and "
                + "`no_proxy` count"),
        Setting(
            "content.ca_file", .file(\.content.authorityFile), .restarts(["content"]),
            "certificates in PEM form that are trusted instead of the system's"),
        Setting(
            "content.pinned_keys", .texts(\.content.pinnedKeys), .restarts(["content"]),
            "SHA-256 hashes, in base64, of the public keys that the server may have; without `ca_file` they alone "
                + "decide"),
    ]
}
