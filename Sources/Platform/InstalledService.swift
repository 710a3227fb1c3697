import Glibc

/// The services of the packages: what a message tells people to do where one of them may not use a file.
package enum InstalledService: String, Sendable {
    case daemon = "beacond"
    case fleet = "beacon-fleet"
    case contentServer = "beacon-content-server"

    /// The group that the service's user is in.
    private var group: String { self == .contentServer ? "beacon-content" : rawValue }

    /// Lets the service read a file that this user may not read (EACCES).
    package func toRead(_ file: String) -> String {
        guard access(PathText.folder(of: file), X_OK) == 0 else {
            return "for the service, put it into a folder that the group \(group) may open"
        }
        return "for the service, as root: chgrp \(group) \(file) && chmod 640 \(file)"
    }

    /// Lets the service write where systemd makes everything read-only for it (EROFS).
    package var toWrite: String {
        "for the service, name the folder in ReadWritePaths= (sudo systemctl edit \(rawValue))"
    }
}
