import Broker
import ContentServer
import CurationStore
import Logging
import Synchronization
import TestSupport
import Testing

@Suite("Reports that the broker has handed over", .timeLimit(.minutes(10)))
struct ReportStorageTests {
    /// A store that is busy until it is told otherwise.
    private final class BusyStore: Sendable {
        private struct State {
            var isBusy = true
            var stored: [String] = []
            var last: [Bool] = []
        }

        private let state = Mutex(State())

        var stored: [String] { state.withLock { $0.stored } }
        /// Of each attempt, whether it is for a report that nobody sends again.
        var last: [Bool] { state.withLock { $0.last } }

        func free() { state.withLock { $0.isBusy = false } }

        func take(_ host: String, _ isLast: Bool) throws(StoreError) {
            let isBusy = state.withLock { state in
                state.last.append(isLast)
                if !state.isBusy { state.stored.append(host) }
                return state.isBusy
            }
            if isBusy { throw StoreError(.busy, "another process is writing") }
        }
    }

    private let clock = ManualClock()
    private let store = BusyStore()
    private let inbox = ReportInbox()

    /// Two reports have come, and the first cannot be stored.
    private func storing() async throws -> Task<Int, Never> {
        for host in ["a", "b"] {
            inbox.put(.init(topic: "site/\(host)/report", payload: [1], isRetained: false))
        }
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        let (clock, store) = (clock, store)
        let storage = ReportStorage(inbox, ReportTopics(prefix: "site"), logger: logger) {
            (_, host, isLast) async throws(StoreError) in
            try store.take(host, isLast)
        }
        let storing = Task { await storage.run(on: clock) }
        try await clock.sleepers(1)
        return storing
    }

    @Test("are stored also if the server ends while its database is busy")
    func busyAtTheEnd() async throws {
        let storing = try await storing()
        inbox.end()
        // Tried at once, and again soon.
        try await clock.sleepers(1)
        #expect(store.last == [false, true])
        store.free()
        clock.advance(by: .milliseconds(500))
        #expect(await storing.value == 0)
        #expect(store.stored == ["a", "b"])
    }

    @Test("are counted as lost if the database stays busy until there is no more time")
    func lost() async throws {
        let storing = try await storing()
        inbox.end()
        try await clock.sleepers(1)
        inbox.giveUp()
        #expect(await storing.value == 2)
        #expect(store.stored == [])
    }

    @Test("are tried again while the server runs")
    func again() async throws {
        let storing = try await storing()
        store.free()
        clock.advance(by: .seconds(1))
        let store = store
        try await waitUntil("both are stored") { store.stored == ["a", "b"] }
        inbox.end()
        #expect(await storing.value == 0)
        #expect(store.stored == ["a", "b"])
    }
}
