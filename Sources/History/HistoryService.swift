import Beacon
import Content
import Dispatch
public import Events
import Reports
public import ServiceLifecycle

/// Writes down what the desk has, an interval at a time, and tidies up. Trouble is told once, and ranging goes on.
public final class HistoryService: Service {
    private let settings: HistorySettings
    private let desk: HistoryDesk
    private let hub: EventHub
    private let disk: HistoryDisk

    public init(settings: HistorySettings, desk: HistoryDesk, hub: EventHub) {
        self.settings = settings
        self.desk = desk
        self.hub = hub
        disk = HistoryDisk(settings)
    }

    /// Runs until it is shut down.
    public func run() async throws {
        guard await open() else { return }
        let overs = desk.begin(self, interval: settings.interval)
        await cancelWhenGracefulShutdown { [self] in
            await withTaskGroup { group in
                group.addTask { await self.noteSyncs() }
                group.addTask {
                    var isTroubled = false
                    for await _ in overs { await self.write(&isTroubled) }
                }
                await group.next()
                group.cancelAll()
            }
        }
        desk.end(self)
        var isTroubled = true
        await write(&isTroubled)
        await disk.close()
    }

    /// Tries again and again. False where it was shut down before.
    private func open() async -> Bool {
        await cancelWhenGracefulShutdown { [self] in
            var isTroubled = false
            while true {
                do throws(HistoryError) {
                    tell(moved: try await disk.open())
                    if isTroubled { hub.show(.mended(part: Self.part)) }
                    return true
                } catch {
                    if !isTroubled { trouble(error.description) }
                    isTroubled = true
                }
                guard (try? await Task.sleep(for: .seconds(60))) != nil else { return false }
            }
        }
    }

    private func write(_ isTroubled: inout Bool) async {
        let time = desk.now
        do throws(HistoryError) {
            let outcome = try await disk.write(from: desk, names: hub.names.all, at: time)
            tell(moved: outcome.movedAside)
            if outcome.lost > 0 {
                trouble("\(outcome.lost) intervals were lost: the disk was too slow, or could not be written")
            } else if isTroubled {
                hub.show(.mended(part: Self.part))
            }
            isTroubled = false
        } catch {
            if !isTroubled { trouble(error.description) }
            isTroubled = true
        }
    }

    private static let part = "history"

    private func trouble(_ problem: String) {
        hub.show(.trouble(part: Self.part, problem: problem, retry: Double(settings.interval)))
    }

    private func tell(moved path: String?) {
        guard let path else { return }
        trouble("\(settings.file) was damaged: it is \(path) now, and a new one was begun")
        hub.show(.mended(part: Self.part))
    }

    /// Whatever comes of syncing content goes into the history too.
    private func noteSyncs() async {
        let subscription = hub.subscribe()
        while let batch = await subscription.next() {
            for record in batch.records {
                if let sync = SyncResult(record, names: hub.names) { desk.note(sync) }
            }
        }
    }

    func report(since: Timestamp?, until: Timestamp?, localTime: LocalTime) async throws(HistoryError) -> HistoryReport {
        var report = try await disk.report(
            since: since, until: until ?? desk.now, localTime: localTime, names: hub.names.all, unwritten: desk)
        report.sources = hub.snapshot.sources.map(\.source)
        return report
    }
}

extension SyncResult {
    /// Nil where an event is none.
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
