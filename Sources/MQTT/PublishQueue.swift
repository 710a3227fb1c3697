import Broker
import Events
import Platform
import Settings
import Synchronization

/// The messages to publish, shared by the task that reads the hub and the thread of the connection.
final class PublishQueue: Sendable {
    struct State: ~Copyable {
        var outbox: Outbox
        var file: OutboxFile
        var states: StateMessages
        var isConnected = false
        /// The outbox's problems that were reported and have not ended.
        var problems = OutboxProblems()
        /// The number of the last change of health that was published.
        var toldHealth: UInt64 = 0
        /// The revision of the site's list in the published state of the scanner.
        var toldRevision: Int64?
    }

    let topics: Topics
    /// Readable when there is something new.
    let wake: WakeDescriptor
    private let state: Mutex<State>

    /// Reads the outbox's file, which blocks.
    ///
    /// - Throws: if there is no free descriptor, or if the outbox's file cannot be read.
    init(settings: MQTTSettings, names: Names, version: String) throws(BrokerProblem) {
        do {
            wake = try WakeDescriptor()
        } catch {
            throw BrokerProblem("no descriptor can be had: \(error)")
        }
        topics = Topics(prefix: settings.topicPrefix, host: settings.host)
        let file = OutboxFile(path: settings.outboxFile)
        let old = try file.read()
        let outbox = Outbox(
            old.entries, nextSequence: old.nextSequence, lastEvent: old.lastEvent, capacity: settings.outboxEvents)
        let states = StateMessages(settings: settings, topics: topics, names: names, version: version)
        state = Mutex(State(outbox: outbox, file: file, states: states))
    }

    func withState<Result: Sendable>(_ body: (inout State) -> Result) -> Result {
        state.withLock { body(&$0) }
    }
}
