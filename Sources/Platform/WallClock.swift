package import Beacon
// Both have struct timespec: it belongs to the one that the compiler has read first.
import CLinux
import Glibc

/// The system's clock, for packets whose transport has no time stamps.
package enum WallClock {
    package static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}

/// A clock that only goes forward, whatever happens to the wall clock, and that stops while the machine is suspended.
/// Silence is measured by it, because nothing is received while suspended.
package enum SteadyClock {
    /// Since a fixed instant of this run of the program.
    package static var elapsed: Duration { origin.duration(to: SuspendingClock.now) }

    private static let origin = SuspendingClock.now
}
