/// What the daemon answers when it has reloaded its configuration. Older daemons leave parts of it out.
struct ReloadAnswer: Decodable {
    /// The path of the configuration, without symbolic links.
    var file: String?
    /// Settings that count after a restart.
    var needsRestart: [String]?
}
