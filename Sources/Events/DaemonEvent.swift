package import Beacon
package import Content
package import Ranging

/// Everything that the daemon notices.
package enum DaemonEvent: Sendable {
    /// A source is being listened to.
    case listening(source: String, how: String)
    /// A source was lost; it is tried again after so many seconds.
    case lost(source: String, problem: String, retry: Double)
    /// A source came to its end.
    case over(source: String)
    /// Whether silence means anything: while no source can hear, nothing exits and nothing is nearest anew.
    case hearing(Hearing)
    case ranging(RangingEvent)
    case content(ContentEvent)
    case site(SiteEvent)
    /// A sync of the whole site that was asked for is over.
    case synced(SyncSummary)
    /// A part of the daemon (`content`, `control`, `mqtt` …) could not go on; it is tried again after so many seconds.
    case trouble(part: String, problem: String, retry: Double)
    /// After `trouble`: the part goes on.
    case mended(part: String)
    /// The configuration was read anew: the lines say what is applied, or what is wrong with it and the old goes on.
    case configuration(isGood: Bool, [String])
}

extension DaemonEvent {
    /// Only its newest state counts: it has no number, and is not kept.
    package var isPassing: Bool {
        if case .content(.progress) = self { true } else { false }
    }

    /// The beacon that it is about; nil where it is about none.
    package var beacon: BeaconID? {
        switch self {
        case .ranging(.entered(let id)), .ranging(.exited(let id)), .ranging(.proximity(let id, _, _)): id
        case .ranging(.nearest(let id, _)): id
        case .content(let event): event.beacon
        default: nil
        }
    }

    /// Its name in every documented format.
    package var kind: String { eventKind.rawValue }

    package var eventKind: EventKind {
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
        case .content: .content
        case .site, .synced: .site
        case .trouble, .mended: .part
        case .configuration: .configuration
        }
    }
}
