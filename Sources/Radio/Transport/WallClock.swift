public import Beacon
import Glibc

/// The system's clock, for packets whose transport gives no time of its own.
public enum WallClock {
    public static var now: Timestamp {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return Timestamp(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
