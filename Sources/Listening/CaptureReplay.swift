package import Beacon
import Captures
import Glibc
import HCI
import Platform
import Synchronization

/// A capture that is heard as if it happened now, at the pace at which it was recorded. It ends with the capture.
package final class CaptureReplay: SightingSource {
    package let spec: SourceSpec
    private let path: String
    private let source: SourceID
    private let receivers: Receivers?
    private let total = Mutex(SourceTally())

    /// - Parameters:
    ///   - source: goes into every sighting, but for those whose scanner the capture names.
    ///   - receivers: where those get IDs of their own; nil makes all of them one.
    package init(_ spec: SourceSpec, path: String, source: SourceID, receivers: Receivers? = nil) {
        self.spec = spec
        self.path = path
        self.source = source
        self.receivers = receivers
    }

    /// Known when the capture has ended.
    package var tally: SourceTally { total.withLock { $0 } }

    package func listen(into feed: SightingFeed, _ handlers: ListeningHandlers) async throws {
        let stop = StopFlag()
        try await withTaskCancellationHandler {
            // Reading blocks, and so do the pauses between two records.
            try await OwnThread.run { try self.replay(into: feed, handlers, until: stop) }
        } onCancel: {
            stop.request()
        }
    }

    private func replay(
        into feed: SightingFeed, _ handlers: ListeningHandlers, until stop: StopFlag
    ) throws(CaptureError) {
        var capture = try CaptureSource(spec, path: path, source: source, receivers: receivers)
        defer { total.withLock { $0.counts += capture.counts } }
        handlers.started("a capture, at its own pace")
        handlers.hearingChanged(.ok)
        var first: (time: Timestamp, elapsed: Duration)?
        var goesOn = true
        while goesOn, !stop.isRequested {
            goesOn = try capture.next { sighting in
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

/// Asks a replay on another thread to end.
private final class StopFlag: Sendable {
    private let flag = Atomic(false)

    var isRequested: Bool { flag.load(ordering: .relaxed) }

    func request() {
        flag.store(true, ordering: .relaxed)
    }
}
