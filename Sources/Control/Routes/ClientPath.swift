import Platform

/// A path for clients on this host, whose current folder is another one than the daemon's.
func clientPath(_ path: String) -> String {
    PathText.isAbsolute(path) ? path : AtomicFile.target(of: path)
}
