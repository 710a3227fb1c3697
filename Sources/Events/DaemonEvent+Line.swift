import Beacon
import Content
import Health
import Ranging
import Text

package enum EventLevel: Sendable {
    case info
    case warning
}

extension DaemonEvent {
    /// One line for people, made printable: sources, problems and names come from outside. Nil if the event needs no
    /// line.
    package func line(names: Names) -> (level: EventLevel, text: String)? {
        words(names).map { ($0.0, printable($0.1)) }
    }

    private func words(_ names: Names) -> (EventLevel, String)? {
        switch self {
        case .listening(let source, let how):
            (.info, "listening on \(source) (\(how))")
        case .lost(let source, let problem, let retry):
            (.warning, "\(source) lost: \(problem); trying again in \(Int(retry.rounded())) s")
        case .over(let source):
            (.info, "\(source) has ended")
        case .hearing(.ok), .hearing(.inDoubt):
            (.info, "scanner  ok")
        case .hearing(.blind):
            (.warning, "scanner  blind: beacons are kept as they were until something can be heard again")
        case .ranging(let event):
            Self.line(event, names)
        case .health(let change):
            (
                change.isOver ? .info : .warning,
                "health   \(names[change.beacon]): "
                    + (change.isOver
                        ? "no longer \(change.problem.kind.word)"
                        : "\(change.problem.kind.word): \(change.problem.evidence)")
            )
        case .content(let event):
            Self.line(event, names)
        case .site(let event):
            Self.line(event, names)
        case .synced(let summary):
            (summary.isComplete ? .info : .warning, "site     synced: \(summary.line)")
        case .trouble(let part, let problem, let retry):
            (.warning, "\(part): \(problem)" + (retry.map { "; trying again in \(Int($0.rounded())) s" } ?? ""))
        case .mended(let part):
            (.info, "\(part) has recovered")
        case .configuration(true, let lines):
            (.info, "settings applied: \(lines.isEmpty ? "nothing has changed" : lines.joined(separator: ", "))")
        case .configuration(false, let lines):
            (.warning, "settings not applied, the old ones stay in use: \(lines.joined(separator: "; "))")
        }
    }

    private static func line(_ event: RangingEvent, _ names: Names) -> (EventLevel, String)? {
        switch event {
        case .entered(let id): (.info, "entered  \(names[id])")
        case .exited(let id): (.info, "exited   \(names[id])")
        case .nearest(let id?, _): (.info, "nearest  \(names[id])")
        case .nearest(nil, _): (.info, "nearest  none")
        case .proximity: nil
        case .regionEntered(let region): (.info, "entered  region \(region.identifier)")
        case .regionExited(let region, let seconds):
            (.info, "exited   region \(region.identifier) after \(fixed(seconds, digits: 0)) s")
        case .regionDwelled(let region): (.info, "dwelled  in region \(region.identifier)")
        }
    }

    private static func line(_ event: ContentEvent, _ names: Names) -> (EventLevel, String)? {
        let name = names[content: event.beacon]
        switch event {
        case .started, .progress:
            return nil
        case .ready(_, let summary):
            let size = ByteCount.text(summary.bytes)
            return (
                .info,
                summary.fetchedAssets == 0
                    ? "content  \(name): up to date (\(summary.assets) files, \(size))"
                    : "content  \(name): \(summary.fetchedAssets) of \(summary.assets) files fetched, "
                        + "\(ByteCount.text(summary.fetchedBytes)) of \(size)"
            )
        case .nothing:
            return (.info, "content  \(name): the site has none")
        case .failed(_, let error, let stillHasOld):
            return (
                .warning, "content  \(name): \(error)" + (stillHasOld ? "; what was fetched before stays in use" : "")
            )
        case .waiting(_, let stillHasOld):
            return (
                .warning,
                "content  \(name): waits until syncing works again"
                    + (stillHasOld ? "; what was fetched before stays in use" : "")
            )
        case .recovered:
            return (.info, "content  \(name): is synced again")
        }
    }

    private static func line(_ event: SiteEvent, _ names: Names) -> (EventLevel, String)? {
        switch event {
        case .changed(let revision):
            (.info, "site     revision \(revision)")
        case .refused(let error):
            (.warning, "site     \(error); what was fetched before stays in use")
        case .recovered:
            (.info, "site     syncing works again")
        case .failed(let scope, let error):
            (.warning, "content  \(names[scope]), in advance: \(error)")
        case .evicted(let scopes):
            (.info, "content  evicted, to make room: \(scopes.map { names[$0] }.joined(separator: ", "))")
        case .pruned(let report):
            (
                .info,
                "site     removed what it no longer has: \(report.documents) manifests, "
                    + "\(report.assets) files, \(ByteCount.text(report.bytes))"
            )
        }
    }
}
