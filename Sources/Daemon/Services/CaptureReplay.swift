import Beacon
import Captures
import Glibc
import Listening
import Radio
import Synchronization

/// Asks a replay on another thread to end.
final class ReplayStop: Sendable {
    private let flag = Atomic(false)

    var isRequested: Bool { flag.load(ordering: .relaxed) }

    func request() {
        flag.store(true, ordering: .relaxed)
    }
}

/// A capture played into a feed as if it happened now. Blocks its thread.
enum CaptureReplay {
    static func run(
        _ spec: SourceSpec, _ path: String, _ index: UInt16, _ feed: SightingFeed, until stop: ReplayStop
    ) throws(CaptureError) {
        var source = try CaptureSource(spec, path: path, index: index)
        var offset: Int64?
        var goesOn = true
        while goesOn, !stop.isRequested {
            goesOn = try source.next { sighting in
                var sighting = copy sighting
                guard let time = sighting.time else { return }
                let shift = offset ?? WallClock.now.microseconds &- time.microseconds
                offset = shift
                let due = Timestamp(microseconds: time.microseconds &+ shift)
                while !stop.isRequested {
                    let missing = due.seconds(since: WallClock.now)
                    guard missing > 0 else { break }
                    usleep(UInt32(min(missing, 0.1) * 1_000_000))
                }
                sighting.time = due
                feed.push(sighting)
            }
        }
    }
}
