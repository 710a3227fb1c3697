import CSystemd

/// Tells systemd how this program is. Does nothing where it was not started by it. sd_notify(3).
public enum ServiceManager {
    public static func ready() {
        sd_notify(0, "READY=1")
    }

    public static func stopping() {
        sd_notify(0, "STOPPING=1")
    }

    /// One line for `systemctl status`.
    public static func status(_ text: String) {
        sd_notify(0, "STATUS=\(text.replacing("\n", with: " "))")
    }
}
