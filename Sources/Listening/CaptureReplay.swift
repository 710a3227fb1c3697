package import Beacon
import Captures
import Glibc
import HCI
import Platform
import Synchronization

/// Replays a capture as a live source, at the pace at which it was recorded. It ends with the capture.
package final class CaptureReplay: SightingSource {
    package let spec: SourceSpec
    private let path: String
    private let source: SourceID
    private let receivers: Receivers?
    private let total = Mutex(SourceTally())

    /// - Parameters:
    ///   - source: the source of every sighting, except those whose scanner the capture names.
    ///   - receivers: where named scanners get IDs of their own; nil to treat all of them as one.
    package init(_ spec: SourceSpec, path: String, source: SourceID, receivers: Receivers? = nil) {
        self.spec = spec
        self.path = path
        self.source = source
        self.receivers = receivers
    }

    package var tally: SourceTally { total.withLock { $0 } }

    package func listen(into feed: SightingFeed, _ handlers: ListeningHandlers) async throws {
        let stop = OneWayFlag()
        let (ends, ended) = AsyncStream.makeStream(of: Result<Void, CaptureError>.self)
        // Reading blocks, and so do the pauses between two records.
        try OwnThread.start {
            do throws(CaptureError) {
                try self.replay(into: feed, handlers, until: stop)
                ended.yield(.success(()))
            } catch {
                ended.yield(.failure(error))
            }
            ended.finish()
        }
        for await end in ends { return try end.get() }
        // Cancelled. Does not wait for the thread, because a pipe's next record may never come.
        stop.raise()
    }

    private func replay(
        into feed: SightingFeed, _ handlers: ListeningHandlers, until stop: OneWayFlag
    ) throws(CaptureError) {
        var capture = try CaptureSource(spec, path: path, source: source, receivers: receivers)
        guard !stop.isUp else { return }
        let earlier = tally.counts
        defer { note(capture.counts, after: earlier) }
        handlers.started("a capture, at its own pace")
        handlers.hearingChanged(.ok)
        var first: (time: Timestamp, elapsed: Duration)?
        var goesOn = true
        while goesOn, !stop.isUp {
            goesOn = try capture.next { sighting in
                var sighting = copy sighting
                guard let time = sighting.time else { return }
                let start = first ?? (time, SteadyClock.elapsed)
                first = start
                Self.pause(until: time.seconds(since: start.time), after: start.elapsed, unless: stop)
                guard !stop.isUp else { return }
                sighting.time = WallClock.now
                feed.push(sighting)
            }
            note(capture.counts, after: earlier)
        }
    }

    /// - Parameter earlier: the counts of earlier calls.
    private func note(_ counts: DecodingCounts, after earlier: DecodingCounts) {
        total.withLock { total in
            total.counts = earlier
            total.counts += counts
        }
    }

    /// Blocks until so many seconds after the start, or until the replay is to end.
    private static func pause(until seconds: Double, after start: Duration, unless stop: OneWayFlag) {
        while !stop.isUp {
            let missing = seconds - (SteadyClock.elapsed - start) / .seconds(1)
            guard missing > 0 else { return }
            usleep(UInt32(min(missing, 0.1) * 1_000_000))
        }
    }
}
