import Glibc
import TestSupport
import Testing

/// A user without any rights, as whom root can run a program.
enum OtherUser {
    static let isAvailable = geteuid() == 0 && Programs.installed("setpriv") != nil
    static let condition: Comment = "only root can be another user, with setpriv"
    /// The options of setpriv, before the program.
    static let options = ["--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all"]
}
