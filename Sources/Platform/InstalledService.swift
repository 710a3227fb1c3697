package import Glibc
import Text

/// The services of the packages: what a message tells people to do where one of them may not use a file.
package enum InstalledService: String, Sendable {
    case daemon = "beacond"
    case fleet = "beacon-fleet"
    case contentServer = "beacon-content-server"

    /// The service's user, and the group of the same name.
    private var user: String { self == .contentServer ? "beacon-content" : rawValue }

    /// Lets the service read a file that this user may not read (EACCES). Where the service may already, it says that.
    ///
    /// - Parameter group: the number of the service's group; nil finds it by its name.
    package func toRead(_ file: String, group: gid_t? = nil) -> String {
        let folder = PathText.folder(of: file)
        // Only the folder of a file in a closed one can be looked at.
        let isOpen = access(folder, X_OK) == 0
        var status = stat()
        if let group = group ?? Self.groupID(of: user), stat(isOpen ? file : folder, &status) == 0,
            status.st_gid == group, status.st_mode & (isOpen ? S_IRGRP : S_IXGRP) != 0
        {
            return "the service may: to do it yourself, be root or \(user) (sudo -u \(user))"
        }
        guard isOpen else { return "for the service, put it into a folder that the group \(user) may open" }
        let word = shellWord(file)
        return "for the service, as root: chgrp \(user) \(word) && chmod 640 \(word)"
    }

    /// Lets the service write where systemd makes everything read-only for it (EROFS).
    package var toWrite: String {
        "for the service, name the folder in ReadWritePaths= (sudo systemctl edit \(rawValue))"
    }

    private static func groupID(of name: String) -> gid_t? {
        // For a group of many members the buffer may be too small: then it counts as none.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 16) { buffer in
            var entry = group()
            var found: UnsafeMutablePointer<group>?
            let status = getgrnam_r(name, &entry, buffer.baseAddress, buffer.count, &found)
            return status == 0 && found != nil ? entry.gr_gid : nil
        }
    }
}
