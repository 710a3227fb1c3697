import CSystemd
import Glibc

/// Tells systemd how this program is. Does nothing where it was not started by it. sd_notify(3).
public enum ServiceManager {
    public static func ready() {
        sd_notify(0, "READY=1")
    }

    public static func stopping() {
        sd_notify(0, "STOPPING=1")
    }

    /// systemd listens.
    public static var isThere: Bool { getenv("NOTIFY_SOCKET") != nil }

    /// A sign of life for the watchdog (WatchdogSec=).
    public static func alive() {
        sd_notify(0, "WATCHDOG=1")
    }

    /// One line for `systemctl status`.
    public static func status(_ text: String) {
        sd_notify(0, "STATUS=\(text.replacing("\n", with: " "))")
    }
}
