import Beacon
import Content
import Events
import Radio
import Ranging
import Synchronization
import TestSupport
import Testing

private let lobby = BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 1, minor: 2)

@Suite("The hub of what the daemon notices", .timeLimit(.minutes(10)))
struct EventHubTests {
    private func hub(capacity: Int = 4096, presenters: [any Presenter] = []) -> EventHub {
        EventHub(names: Names(), presenters: presenters, capacity: capacity) { Timestamp(seconds: 1_700_000_000) }
    }

    private func source(_ number: Int) -> DaemonEvent { .over(source: "\(number)") }

    private func sources(_ batch: EventBatch?) -> [String] {
        (batch?.records ?? []).map { record in
            if case .over(let source) = record.event { source } else { "?" }
        }
    }

    @Test("numbers rise by one and begin with the time")
    func numbers() async {
        let hub = hub()
        let reader = hub.subscribe()
        for number in 1...3 { hub.publish(source(number)) }
        let batch = await reader.next()
        #expect(batch?.records.map(\.id) == [1_700_000_000_000_000, 1_700_000_000_000_001, 1_700_000_000_000_002])
        #expect(batch?.hasMissed == false)
        #expect(sources(batch) == ["1", "2", "3"])
    }

    @Test("a reader of an earlier run is told once that it has missed something, also before the first event")
    func earlierRun() async {
        let hub = hub()
        let reader = hub.subscribe(after: 7)
        #expect(await reader.next()?.hasMissed == true)
        #expect(reader.take().batch == nil)
        hub.publish(source(1))
        let batch = await reader.next()
        #expect(sources(batch) == ["1"] && batch?.hasMissed == false)
    }

    @Test("a reader that comes back goes on after what it has", arguments: [0, 1, 2, 3])
    func resumes(read: Int) async throws {
        let hub = hub()
        for number in 1...3 { hub.publish(source(number)) }
        let reader = hub.subscribe(after: hub.lastID - 3 + UInt64(read))
        hub.publish(source(4))
        let batch = try #require(await reader.next())
        #expect(sources(batch) == ["1", "2", "3", "4"].suffix(4 - read))
        #expect(!batch.hasMissed)
    }

    @Test("a reader that was away for too long gets what is left, and is told")
    func overrun() async throws {
        let hub = hub(capacity: 2)
        let reader = hub.subscribe()
        for number in 1...5 { hub.publish(source(number)) }
        let batch = try #require(await reader.next())
        #expect(sources(batch) == ["4", "5"])
        #expect(batch.hasMissed)
    }

    @Test("a number from another clock's future gets everything that is kept")
    func future() async throws {
        let hub = hub()
        hub.publish(source(1))
        let batch = try #require(await hub.subscribe(after: .max).next())
        #expect(sources(batch) == ["1"])
        #expect(batch.hasMissed)
    }

    @Test("a reader that waits is woken; of states only the newest is given, and only to whom wants them")
    func states() async throws {
        let hub = hub()
        let (wanting, plain) = (hub.subscribe(wantsStates: true), hub.subscribe())
        let late = hub.subscribe(wantsStates: true)
        async let first = wanting.next()
        await letOthersRun()
        for second in 1...3 {
            hub.publish(Ranking(time: Timestamp(seconds: Double(second)), nearest: nil, beacons: []), isBlind: false)
        }
        var last = try #require(await first?.ranking?.ranking.time)
        while last < Timestamp(seconds: 3) { last = try #require(await wanting.next()?.ranking?.ranking.time) }
        #expect(last == Timestamp(seconds: 3))
        #expect(late.take().batch?.ranking?.ranking.time == Timestamp(seconds: 3))
        #expect(late.take().batch == nil)
        #expect(plain.take().batch == nil)
    }

    @Test("progress has no number, and is gone when the content is complete")
    func progress() async throws {
        let hub = hub()
        let before = hub.lastID
        let reader = hub.subscribe(wantsStates: true)
        hub.publish(.content(.progress(lobby, ContentProgress(bytes: 5, totalBytes: 10, assets: 0, totalAssets: 1))))
        #expect(hub.lastID == before)
        #expect(await reader.next()?.progress?.first?.progress.bytes == 5)
        hub.publish(.content(.nothing(lobby)))
        #expect(await reader.next()?.progress?.isEmpty == true)
        #expect(hub.snapshot.progress.isEmpty)
    }

    @Test("without a site any more, no content is wanted, and no download runs")
    func noContent() async throws {
        let hub = hub()
        hub.publish(.content(.nothing(lobby)))
        hub.publish(.content(.progress(lobby, ContentProgress(bytes: 5, totalBytes: 10, assets: 0, totalAssets: 1))))
        let reader = hub.subscribe(wantsStates: true)
        _ = await reader.next()
        hub.forgetContent()
        #expect(hub.snapshot.content == nil && hub.snapshot.progress.isEmpty)
        hub.publish(source(1))
        #expect(await reader.next()?.progress?.isEmpty == true)
    }

    @Test("a hub that is finished gives what is left, and then ends")
    func finishes() async {
        let hub = hub()
        let reader = hub.subscribe()
        hub.publish(source(1))
        hub.finish()
        #expect(sources(await reader.next()) == ["1"])
        #expect(await reader.next() == nil)
    }

    @Test("many readers and writers at once: everybody sees everything, in order")
    func concurrent() async {
        let hub = hub(capacity: 100_000)
        let readers = (0..<20).map { _ in hub.subscribe() }
        await withTaskGroup(of: [UInt64].self) { group in
            for reader in readers {
                group.addTask {
                    var ids: [UInt64] = []
                    while let batch = await reader.next() { ids += batch.records.map(\.id) }
                    return ids
                }
            }
            await withTaskGroup { writers in
                for _ in 0..<4 {
                    writers.addTask { for number in 0..<250 { hub.publish(source(number)) } }
                }
            }
            hub.finish()
            let first = 1_700_000_000_000_000 as UInt64
            for await ids in group { #expect(ids == Array(first..<(first + 1000))) }
        }
    }

    @Test("parts that have failed are known until they recover or end, since they failed")
    func failing() {
        let seconds = Mutex(1_700_000_000.0)
        let hub = EventHub(names: Names()) { Timestamp(seconds: seconds.withLock { $0 }) }
        hub.publish(.trouble(part: "mqtt", problem: "refused", retry: 1))
        seconds.withLock { $0 += 60 }
        hub.publish(.trouble(part: "http", problem: "the port is taken", retry: 1))
        hub.publish(.trouble(part: "mqtt", problem: "away", retry: 1))
        #expect(hub.snapshot.failing.map(\.part) == ["mqtt", "http"])
        #expect(hub.snapshot.failing.map(\.problem) == ["away", "the port is taken"])
        #expect(hub.snapshot.failing.first?.since == Timestamp(seconds: 1_700_000_000))
        hub.publish(.mended(part: "mqtt"))
        #expect(hub.snapshot.failing.map(\.part) == ["http"])
        hub.forgetFailure(of: "http")
        #expect(hub.snapshot.failing.isEmpty)
    }

    @Test("a source that is tried again is lost since it was lost, for the newest reason")
    func lostSince() {
        let seconds = Mutex(1_700_000_000.0)
        let hub = EventHub(names: Names()) { Timestamp(seconds: seconds.withLock { $0 }) }
        for problem in ["unplugged", "still not there"] {
            hub.publish(.lost(source: "hci0", problem: problem, retry: 1))
            seconds.withLock { $0 += 60 }
        }
        #expect(hub.snapshot.sources.first?.since == Timestamp(seconds: 1_700_000_000))
        #expect(hub.snapshot.sources.first?.detail == "still not there")
        hub.publish(.listening(source: "hci0", how: "legacy commands"))
        #expect(hub.snapshot.sources.first?.since == Timestamp(seconds: 1_700_000_120))
    }

    @Test("sources are known by their last state")
    func snapshot() {
        let hub = hub()
        hub.publish(.listening(source: "hci0", how: "legacy commands"))
        hub.publish(.listening(source: "sim", how: "x"))
        hub.publish(.lost(source: "hci0", problem: "unplugged", retry: 1))
        #expect(hub.snapshot.sources.map(\.source) == ["hci0", "sim"])
        #expect(hub.snapshot.sources.map(\.state) == [.lost, .listening])
        #expect(hub.snapshot.sources[0].detail == "unplugged")
    }
}
