import CSystemd
import Glibc

/// Tells systemd how this program is. Does nothing where it was not started by it. sd_notify(3).
public enum ServiceManager {
    public static func ready() {
        sd_notify(0, "READY=1")
    }

    /// The configuration is read anew; `ready` ends it.
    public static func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        sd_notify(0, "RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
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
