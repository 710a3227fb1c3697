import CLinux
import Glibc

/// Whether a service such as NTP keeps the system's clock correct.
package enum KernelClock {
    /// Nil if this is unknown.
    ///
    /// A service may be forbidden to ask the kernel (`ProtectClock=`, systemd.exec(5)). In that case this uses the
    /// file of systemd-timesyncd, if that runs.
    package static var isSynchronised: Bool? {
        var state = timex()
        // STA_UNSYNC of adjtimex(2).
        if adjtimex(&state) >= 0 { return state.status & 0x0040 == 0 }
        guard access("/run/systemd/timesync", X_OK) == 0 else { return nil }
        return access("/run/systemd/timesync/synchronized", F_OK) == 0
    }
}
