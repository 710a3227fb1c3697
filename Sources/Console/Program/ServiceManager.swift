// CLinux and Glibc both have struct timespec. It belongs to the one that the compiler reads first.
import CLinux
import CSystemd
import Dispatch
import Glibc
import Synchronization
import Text

/// Reports the state of this program to systemd. Does nothing if systemd did not start it. sd_notify(3).
///
/// No call waits: systemd may be slow to read, and then sd_notify(3) blocks.
package enum ServiceManager {
    private static let waiting = Mutex(ServiceNotices())
    private static let sender = DispatchQueue(label: "beacond.service-manager")

    private static func send(_ kind: ServiceNotices.Kind, _ text: String) {
        guard isThere, waiting.withLock({ $0.add(kind, text) }) else { return }
        sender.async {
            while let text = waiting.withLock({ $0.next() }) { sd_notify(0, text) }
        }
    }

    /// Waits until systemd has accepted everything, for at most a second. Call it before the program ends.
    package static func flush() {
        let sent = DispatchSemaphore(value: 0)
        sender.async { sent.signal() }
        _ = sent.wait(timeout: .now() + 1)
    }

    package static func ready() {
        send(.ready, "READY=1")
    }

    /// The configuration is being reloaded; `ready` ends that.
    package static func reloading() {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        send(.reloading, "RELOADING=1\nMONOTONIC_USEC=\(time.tv_sec * 1_000_000 + time.tv_nsec / 1000)")
    }

    package static func stopping() {
        send(.stopping, "STOPPING=1")
        flush()
    }

    /// A socket that systemd opened for this service (sd_listen_fds(3)), as a duplicated, non-blocking descriptor. The
    /// caller closes it. Nil where there is none.
    ///
    /// - Parameter family: for example AF_NETLINK.
    package static func socket(family: Int32) -> Int32? {
        let count = sd_listen_fds(0)
        guard count > 0 else { return nil }
        for descriptor in SD_LISTEN_FDS_START..<(SD_LISTEN_FDS_START + count)
        where sd_is_socket(descriptor, family, 0, -1) > 0 {
            let copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3)
            guard copy >= 0 else { return nil }
            _ = fcntl(copy, F_SETFL, fcntl(copy, F_GETFL) | O_NONBLOCK)
            return copy
        }
        return nil
    }

    /// Whether a client waits at a Unix socket on which systemd listens, so that systemd started the service to answer
    /// it.
    package static var isAsked: Bool {
        let count = sd_listen_fds(0)
        guard count > 0 else { return false }
        return (SD_LISTEN_FDS_START..<(SD_LISTEN_FDS_START + count)).contains { descriptor in
            guard sd_is_socket_unix(descriptor, Int32(SOCK_STREAM.rawValue), 1, nil, 0) > 0 else { return false }
            var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            return poll(&state, 1, 0) > 0
        }
    }

    /// Seconds between calls of `alive` (sd_watchdog_enabled(3)); nil without a watchdog.
    package static func watchdogInterval(_ environment: [String: String]) -> Double? {
        guard let microseconds = environment["WATCHDOG_USEC"].flatMap(Double.init), microseconds > 0 else { return nil }
        return max(0.1, microseconds / 3_000_000)
    }

    /// Whether systemd accepts notifications.
    package static var isThere: Bool { getenv("NOTIFY_SOCKET") != nil }

    /// Resets the watchdog (WatchdogSec=).
    package static func alive() {
        send(.alive, "WATCHDOG=1")
    }

    /// One line for `systemctl status`.
    package static func status(_ text: String) {
        send(.status, "STATUS=\(printable(text))")
    }
}
