import CSystemd

/// Tells systemd how the daemon is. Does nothing where it was not started by it. sd_notify(3).
enum ServiceManager {
    static func ready() {
        sd_notify(0, "READY=1")
    }

    static func stopping() {
        sd_notify(0, "STOPPING=1")
    }

    /// One line for `systemctl status`.
    static func status(_ text: String) {
        sd_notify(0, "STATUS=\(text.replacing("\n", with: " "))")
    }
}
