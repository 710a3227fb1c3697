import Beacon
import BlueZ
import Bus
import Radio
import Synchronization
import TestSupport

/// A listener in a task of its own, and what it has told so far.
final class ListeningTask: Sendable {
    private struct Told {
        var sightings: [Sighting] = []
        var started: [BluezSession.Method] = []
        var interruptions: [RadioError] = []
        var end: Result<Void, RadioError>?
    }

    /// What it tells, apart from the task, which ends with the last reference to it.
    private final class Record: Sendable {
        let told = Mutex(Told())
    }

    /// Time enough for a bluetoothd on a busy machine, and for a test that starts the next one when it gets its turn.
    static var patient: BluezSession.Limits {
        var limits = BluezSession.Limits()
        limits.startTimeout = .seconds(3600)
        limits.doubt = .seconds(5)
        limits.activation = .seconds(60)
        limits.leave = .seconds(60)
        return limits
    }

    let listener: BluezListener
    private let record: Record
    private let task: Task<Void, Never>

    init(
        _ address: BusAddress, adapter index: UInt16 = 0, method: BluezSession.Method? = nil,
        limits: BluezSession.Limits = ListeningTask.patient
    ) {
        let record = Record()
        let listener = BluezListener(
            adapter: index, bus: address, method: method, limits: limits, source: 5,
            now: { Timestamp(seconds: 1_700_000_000) },
            interrupted: { error in record.told.withLock { $0.interruptions.append(error) } }
        ) { sighting in
            let sighting = copy sighting
            record.told.withLock { $0.sightings.append(sighting) }
        }
        self.record = record
        self.listener = listener
        task = Task {
            do throws(RadioError) {
                try await listener.run { method in record.told.withLock { $0.started.append(method) } }
                record.told.withLock { $0.end = .success(()) }
            } catch {
                record.told.withLock { $0.end = .failure(error) }
            }
        }
    }

    deinit {
        task.cancel()
    }

    var sightings: [Sighting] { record.told.withLock { $0.sightings } }
    var started: [BluezSession.Method] { record.told.withLock { $0.started } }
    var interruptions: [RadioError] { record.told.withLock { $0.interruptions } }

    /// Waits for something that it tells. Its end, or that time runs out, is an error.
    func waitUntil(_ what: String, _ condition: (ListeningTask) -> Bool) async throws {
        try await eventually(what, unless: { self.record.told.withLock { $0.end } }, { condition(self) })
    }

    /// Waits for its end, and returns the error.
    func end() async throws -> RadioError? {
        try await eventually("it ends") { self.record.told.withLock { $0.end } != nil }
        if case .failure(let error) = record.told.withLock({ $0.end }) { return error }
        return nil
    }

    /// Cancels it, and waits until it has taken leave.
    func stop() async throws {
        task.cancel()
        if let error = try await end() { throw error }
    }

    private func eventually(
        _ what: String, unless end: () -> Result<Void, RadioError>? = { nil }, _ condition: () -> Bool
    ) async throws {
        try await TestSupport.waitUntil(what) {
            if condition() { return true }
            if let end = end() { throw RunningProgram.Failure(description: "\(end) came before \(what)") }
            return false
        }
    }
}
