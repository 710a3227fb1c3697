package import Bus
import Content
package import Events
import Health
import Ranging

/// The signals for all subscribers: events, and properties that have changed.
package struct BusSignals: Sendable {
    private let values: BusValues
    private var told: [String: BusValue]
    private var present: BusValues.Present

    /// - Parameter snapshot: the state that others can already read.
    package init(values: BusValues, _ snapshot: EventHub.Snapshot) {
        self.values = values
        present = values.present(snapshot)
        told = values.properties(snapshot, present)
    }

    /// The signals for new events, in their order; changed properties come after the events that change them.
    package mutating func signals(_ records: [EventRecord], _ snapshot: EventHub.Snapshot) -> [BusMessage] {
        var signals = records.compactMap { signal($0.event) }
        present = values.present(snapshot, last: present)
        let now = values.properties(snapshot, present)
        let changed = now.filter { told[$0.key] != $0.value }
        told = now
        if !changed.isEmpty {
            signals.append(
                .signal(
                    Beacond1.path, "org.freedesktop.DBus.Properties", "PropertiesChanged",
                    [.string(Beacond1.interface), .properties(changed), .array([], of: "s")]))
        }
        return signals
    }

    private func signal(_ event: DaemonEvent) -> BusMessage? {
        switch event {
        case .ranging(.entered(let id)): signal("Entered", values.beacon(id))
        case .ranging(.exited(let id)): signal("Exited", values.beacon(id))
        case .ranging(.nearest(let id, let previous)):
            signal("NearestChanged", values.beacon(id), values.beacon(previous))
        case .health(let change):
            signal(
                "HealthChanged", values.beacon(change.beacon), .string(change.problem.kind.rawValue),
                .boolean(change.isOver), .int64(change.problem.since), values.text(change.problem.evidence))
        case .content(.ready(let id, _)): signal("ContentReady", values.beacon(id))
        default: nil
        }
    }

    private func signal(_ member: String, _ body: BusValue...) -> BusMessage {
        .signal(Beacond1.path, Beacond1.interface, member, body)
    }
}
