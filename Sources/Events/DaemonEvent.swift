package import Beacon
package import Content
package import Health
package import Ranging

/// Everything that the daemon reports.
package enum DaemonEvent: Sendable {
    /// A source is being listened to.
    case listening(source: String, how: String)
    /// A source was lost; it is tried again after `retry` seconds.
    case lost(source: String, problem: String, retry: Double)
    /// A source has ended.
    case over(source: String)
    /// Whether silence means absence. While all sources are blind, no beacon exits and the nearest does not change.
    case hearing(Hearing)
    case ranging(RangingEvent)
    /// A problem of a beacon has begun or ended.
    case health(HealthChange)
    case content(ContentEvent)
    case site(SiteEvent)
    /// A requested sync of the whole site has ended.
    case synced(SyncSummary)
    /// A part of the daemon (`content`, `control`, `mqtt` …) has failed. It is tried again after `retry` seconds; nil
    /// if nothing is tried again.
    case trouble(part: String, problem: String, retry: Double?)
    /// After `trouble`: the part works again.
    case mended(part: String)
    /// The configuration was reloaded. The lines list what was applied, or why it was refused. In that case the old
    /// one stays in use.
    case configuration(isGood: Bool, [String])
}

extension DaemonEvent {
    /// Only the newest state of such an event matters: it has no number and is not kept.
    package var isPassing: Bool {
        if case .content(.progress) = self { true } else { false }
    }

    /// The beacon that the event is about, if any.
    package var beacon: BeaconID? {
        switch self {
        case .ranging(.entered(let id)), .ranging(.exited(let id)), .ranging(.proximity(let id, _, _)): id
        case .ranging(.nearest(let id, _)): id
        case .health(let change): change.beacon
        case .content(let event): event.beacon
        default: nil
        }
    }

    /// The event's name in every documented format.
    package var kind: String { eventKind.rawValue }

    private var eventKind: EventKind {
        switch self {
        case .listening, .lost, .over: .source
        case .hearing: .scanner
        case .ranging(let event):
            switch event {
            case .entered: .entered
            case .exited: .exited
            case .nearest: .nearest
            case .proximity: .proximity
            case .regionEntered, .regionExited, .regionDwelled: .region
            }
        case .health: .health
        case .content: .content
        case .site, .synced: .site
        case .trouble, .mended: .part
        case .configuration: .configuration
        }
    }
}
