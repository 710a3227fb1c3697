import Glibc
import Platform

/// Where the daemon's control socket is.
package enum ControlSocket {
    /// Where the system's daemon has it.
    package static let system = "/run/beacond/control.sock"

    /// The longest path of a Unix socket, in octets (unix(7)).
    package static let longestPath = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1

    /// Overrides every other place, for the daemon as for those who ask it; `none` for nowhere.
    package static let variable = "BEACOND_CONTROL_SOCKET"

    /// Where a daemon that is started now puts it: a user who is not root has a folder of his own for that.
    package static func own(_ environment: [String: String]) -> String {
        if let folder = environment["RUNTIME_DIRECTORY"]?.utf8.split(separator: UInt8(ascii: ":")).first {
            return "\(Substring(folder))/control.sock"
        }
        guard geteuid() != 0 else { return system }
        let name = "beacond/control.sock"
        if let folder = environment["XDG_RUNTIME_DIR"], PathText.isAbsolute(folder) { return "\(folder)/\(name)" }
        // The service's user in a container has no session, but the system's folder.
        guard access("/run/beacond", W_OK) != 0, let home = environment["HOME"], PathText.isAbsolute(home) else {
            return system
        }
        let session = "/run/user/\(geteuid())"
        return access(session, W_OK) == 0 ? "\(session)/\(name)" : "\(home)/.local/state/\(name)"
    }
}
