package import Beacon
import Glibc

/// The system's clock, for packets whose transport gives no time of its own.
package enum WallClock {
    package static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}

/// A clock that only goes forward, whatever happens to the wall clock, and that stands still while the machine sleeps:
/// what silence is measured by, since nothing is heard in its sleep.
package enum SteadyClock {
    /// Since an instant that is fixed while the program runs.
    package static var elapsed: Duration { origin.duration(to: SuspendingClock.now) }

    private static let origin = SuspendingClock.now
}
