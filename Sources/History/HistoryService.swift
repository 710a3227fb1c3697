import Beacon
import Content
import Dispatch
package import Events
import Platform
import Reports
import ServiceLifecycle
package import Settings
import Text

/// Writes the recorded intervals one by one and does upkeep. A problem is reported once, and ranging continues.
package final class HistoryService: Service {
    private let settings: HistorySettings
    private let buffer: HistoryBuffer
    private let hub: EventHub
    private let disk: HistoryDisk

    /// - Parameter isSynchronised: whether the system's clock is kept correct; nil if this is unknown.
    package init(
        settings: HistorySettings, buffer: HistoryBuffer, hub: EventHub,
        isSynchronised: @escaping @Sendable () -> Bool? = { KernelClock.isSynchronised }
    ) {
        self.settings = settings
        self.buffer = buffer
        self.hub = hub
        disk = HistoryDisk(settings, isSynchronised: isSynchronised)
    }

    /// Runs until it is shut down.
    package func run() async throws {
        guard let kept = await open() else { return }
        let overs = buffer.begin(self, interval: settings.interval, room: room(kept))
        // Work in the database must not delay the shutdown.
        let wasTroubled = await withGracefulShutdownHandler {
            await cancelWhenGracefulShutdown { [self] in
                await withTaskGroup(of: Bool.self) { group in
                    group.addTask {
                        await self.noteSyncs()
                        return false
                    }
                    group.addTask {
                        var isTroubled = false
                        await self.tidy(&isTroubled)
                        for await _ in overs {
                            await self.write(&isTroubled)
                            await self.tidy(&isTroubled)
                        }
                        return isTroubled
                    }
                    var wasTroubled = await group.next() ?? false
                    group.cancelAll()
                    for await isTroubled in group { wasTroubled = wasTroubled || isTroubled }
                    return wasTroubled
                }
            }
        } onGracefulShutdown: { [disk] in
            disk.interrupt()
        }
        buffer.end(self)
        await writeLast(wasTroubled)
        await disk.close()
    }

    private func room(_ kept: Set<BeaconID>) -> RecordingRoom {
        RecordingRoom(known: kept.union(hub.names.all.keys), regions: settings.regions)
    }

    /// Retries until it succeeds. Nil if the service was shut down before; otherwise the beacons known from earlier
    /// runs.
    private func open() async -> Set<BeaconID>? {
        await cancelWhenGracefulShutdown { [self] in
            var isTroubled = false
            while true {
                do throws(HistoryError) {
                    let (movedAside, kept) = try await disk.open(at: buffer.now)
                    tell(moved: movedAside)
                    if isTroubled { hub.publish(.mended(part: Self.part)) }
                    return kept
                } catch {
                    if !isTroubled { trouble(error.description, retry: Self.openingPause) }
                    isTroubled = true
                }
                guard (try? await Task.sleep(for: .seconds(Self.openingPause))) != nil else { return nil }
            }
        }
    }

    private func write(_ isTroubled: inout Bool) async {
        do throws(HistoryError) {
            let outcome = try await disk.write(from: buffer, names: hub.names.all, problems: problems)
            buffer.use(room(outcome.kept))
            tell(moved: outcome.movedAside)
            if outcome.lost > 0 { tell(lost: outcome.lost) }
            // Losses were reported, and the rest is written.
            if outcome.lost > 0 || isTroubled { hub.publish(.mended(part: Self.part)) }
            isTroubled = false
        } catch {
            note(error, &isTroubled)
        }
    }

    /// Works in portions. Reports are answered between them, and the work stops when an interval waits to be written.
    private func tidy(_ isTroubled: inout Bool) async {
        let (cutoff, horizon) = await disk.limits(at: buffer.now)
        do throws(HistoryError) {
            while !Task.isCancelled, !buffer.hasWaiting,
                try await disk.tidyPortion(olderThan: cutoff, laterThan: horizon)
            {}
        } catch {
            note(error, &isTroubled)
        }
    }

    private func note(_ error: HistoryError, _ isTroubled: inout Bool) {
        // It was interrupted on purpose.
        guard error.code != .interrupted else { return }
        if !isTroubled { trouble(error.description, retry: Double(settings.interval)) }
        isTroubled = true
    }

    /// Writes the rest at the end. Reports only losses, and only if no problem was reported before: no later event can
    /// end the problem.
    private func writeLast(_ wasTroubled: Bool) async {
        do throws(HistoryError) {
            let outcome = try await disk.write(from: buffer, names: hub.names.all, problems: problems)
            if outcome.lost > 0 { tell(lost: outcome.lost) }
        } catch {
            if !wasTroubled { trouble("what was heard last was not written: \(error)") }
        }
    }

    private static let part = "history"

    /// Seconds until a database that cannot be opened is tried again.
    private static let openingPause = 60.0

    /// - Parameter retry: seconds; nil if nothing is tried again.
    private func trouble(_ problem: String, retry: Double? = nil) {
        hub.publish(.trouble(part: Self.part, problem: problem, retry: retry))
    }

    private func tell(lost count: Int) {
        trouble("\(count) intervals were lost: the disk was too slow, or could not be written")
    }

    private func tell(moved path: String?) {
        guard let path else { return }
        trouble(HistoryDatabase.notice(of: settings.file, movedTo: path))
        hub.publish(.mended(part: Self.part))
    }

    /// Records the results of content syncs too.
    private func noteSyncs() async {
        let subscription = hub.subscribe()
        while let batch = await subscription.next() {
            hub.noteDropped(batch.missed, by: "history")
            for record in batch.records {
                guard let sync = SyncResult(record, names: hub.names), !buffer.note(sync) else { continue }
                hub.noteDropped(1, by: "history")
            }
        }
    }

    /// The current problems of beacons.
    private var problems: [ReportedProblem] { hub.snapshot.health.beacons.problems(at: buffer.now) }

    func report(since: Timestamp?, until: Timestamp?, localTime: LocalTime) async throws(HistoryError) -> HistoryReport
    {
        var report = try await disk.report(
            since: since, until: until ?? buffer.now, localTime: localTime, names: hub.names.all, problems: problems,
            unwritten: buffer)
        report.sources = hub.snapshot.sources.map(\.source)
        return report
    }
}

extension SyncResult {
    /// Nil if the event is not the result of a sync.
    fileprivate init?(_ record: EventRecord, names: Names) {
        let text = record.event.line(names: names)?.text
        switch record.event {
        case .content(.ready(let beacon, let summary)):
            self.init(time: record.time, beacon: beacon, outcome: .ready, fetchedBytes: summary.fetchedBytes)
        case .content(.nothing(let beacon)): self.init(time: record.time, beacon: beacon, outcome: .nothing)
        case .content(.failed(let beacon, let error, _)):
            self.init(time: record.time, beacon: beacon, outcome: .failed, text: "\(error)")
        case .content(.waiting(let beacon, _)): self.init(time: record.time, beacon: beacon, outcome: .waiting)
        case .synced(let summary):
            self.init(time: record.time, outcome: .site, fetchedBytes: summary.transferredBytes, text: text)
        case .site: self.init(time: record.time, outcome: .site, text: text)
        default: return nil
        }
    }
}
