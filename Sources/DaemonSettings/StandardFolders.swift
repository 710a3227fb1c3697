import Glibc
import Platform
import Settings

extension DaemonConfiguration {
    /// Creates the folders of state and cache, with those above them, and a user's own folder for the control socket.
    /// A folder that cannot be created is reported by the part that needs it.
    package func makeFolders(_ environment: [String: String]) {
        var folders = [stateDirectory, cacheDirectory]
        if let socket = control.socket, let home = environment["HOME"], home != "/",
            socket.utf8.starts(with: "\(home)/".utf8) {
            folders.append(PathText.folder(of: socket))
        }
        for folder in folders {
            for path in PathText.folders(above: folder) + [folder] { mkdir(path, 0o700) }
        }
    }
}

/// The folders for state and cache if nothing else is set: the system's, or the user's own if the user may not write
/// there (XDG Base Directory Specification).
package struct StandardFolders {
    package private(set) var state = "/var/lib/beacond"
    package private(set) var cache = "/var/cache/beacond"
    /// Names the folders if they are not the system's.
    package private(set) var note: String?

    /// - Parameter isWritable: whether a folder can be written or created.
    package init(_ environment: [String: String], isWritable: (String) -> Bool) {
        guard !isWritable(state), let home = Self.absolute(environment["HOME"]) else { return }
        let system = state
        state = (Self.absolute(environment["XDG_STATE_HOME"]) ?? home + "/.local/state") + "/beacond"
        cache = (Self.absolute(environment["XDG_CACHE_HOME"]) ?? home + "/.cache") + "/beacond"
        note = "state is kept in \(state), since \(system) is not for this user to write"
    }

    init(_ environment: [String: String]) {
        self.init(environment, isWritable: Self.isWritable)
    }

    private static func absolute(_ path: String?) -> String? {
        path.flatMap { PathText.isAbsolute($0) ? $0 : nil }
    }

    /// A path without `.`, double slashes and trailing slashes, because a reload compares folders by their paths.
    static func plain(_ path: String) -> String {
        let plain = PathText.parts(of: path).filter { $0 != "." }.joined(separator: "/")
        if PathText.isAbsolute(path) { return "/" + plain }
        return plain.isEmpty ? "." : plain
    }

    private static func isWritable(_ folder: String) -> Bool {
        if access(folder, F_OK) == 0 { return access(folder, W_OK) == 0 }
        return access(PathText.folder(of: folder), W_OK) == 0
    }
}
