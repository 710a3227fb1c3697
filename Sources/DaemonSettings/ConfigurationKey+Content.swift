// Where content comes from, how much of it is fetched when, and what it must be signed with.
extension ConfigurationKey {
    static let baseURL = ConfigurationKey("content.base_url", .text, "The content site; its files are below /v1/.")
    static let tokenFile = ConfigurationKey("content.token_file", .path, "A file that holds a bearer token.")
    static let publicKeys = ConfigurationKey(
        "content.public_keys", .texts, "Keys of which one must have signed the site list, or files that hold them.")
    static let prefetch = ConfigurationKey(
        "content.prefetch", .choice(["off", "likely", "everything"]), "What is fetched before it is wanted.")
    static let syncInterval = ConfigurationKey(
        "content.sync_interval_s", .number(1...604_800), "How often the site list is asked for.")
    static let quota = ConfigurationKey(
        "content.quota_bytes", .integer(0...Int.max), "The most that is kept on the disk; 0 for no limit.")
    static let pinned = ConfigurationKey(
        "content.pinned", .texts, "Beacons whose content is never evicted: UUID/MAJOR/MINOR.")
    static let maximumImages = ConfigurationKey(
        "content.maximum_images", .integer(1...10_000), "Images to recognise that a beacon may have.")
    static let parallelTransfers = ConfigurationKey(
        "content.parallel_transfers", .integer(1...64), "Files that are fetched at the same time.")
    static let parallelManifests = ConfigurationKey(
        "content.parallel_manifests", .integer(1...1000), "Manifests that are synced at the same time.")
    static let redirectHosts = ConfigurationKey(
        "content.redirect_hosts", .texts, "Other hosts to which the site may redirect.")
    static let proxy = ConfigurationKey("content.proxy", .text, "An HTTP proxy, or none.")
    static let authorityFile = ConfigurationKey(
        "content.ca_file", .path, "Certificates to trust instead of the system's.")
    static let pinnedKeys = ConfigurationKey(
        "content.pinned_keys", .texts, "SHA-256 hashes, in base64, of the keys that the server may have.")

    static let content: [ConfigurationKey] = [
        baseURL, tokenFile, publicKeys, prefetch, syncInterval, quota, pinned, maximumImages, parallelTransfers,
        parallelManifests, redirectHosts, proxy, authorityFile, pinnedKeys,
    ]
}
