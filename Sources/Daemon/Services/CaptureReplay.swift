import Beacon
package import Captures
import Glibc
package import Listening
import Platform
import Radio
import Synchronization

/// Asks a replay on another thread to end.
package final class ReplayStop: Sendable {
    private let flag = Atomic(false)

    package init() {}

    package var isRequested: Bool { flag.load(ordering: .relaxed) }

    package func request() {
        flag.store(true, ordering: .relaxed)
    }
}

/// A capture played into a feed as if it happened now. Blocks its thread. `began` is called when the file is known to
/// be a capture.
package enum CaptureReplay {
    package static func run(
        _ spec: SourceSpec, _ path: String, _ index: UInt16, _ receivers: Receivers, _ feed: SightingFeed,
        until stop: ReplayStop,
        began: () -> Void
    ) throws(CaptureError) {
        var source = try CaptureSource(spec, path: path, index: index, receivers: receivers)
        began()
        var first: (time: Timestamp, elapsed: Duration)?
        var goesOn = true
        while goesOn, !stop.isRequested {
            goesOn = try source.next { sighting in
                var sighting = copy sighting
                guard let time = sighting.time else { return }
                let start = first ?? (time, SteadyClock.elapsed)
                first = start
                let due = time.seconds(since: start.time)
                while !stop.isRequested {
                    let missing = due - (SteadyClock.elapsed - start.elapsed) / .seconds(1)
                    guard missing > 0 else { break }
                    usleep(UInt32(min(missing, 0.1) * 1_000_000))
                }
                sighting.time = WallClock.now
                feed.push(sighting)
            }
        }
    }
}
