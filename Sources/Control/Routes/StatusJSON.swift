import Beacon
import Content
import Events
import Ranging
import Text

/// The state of the daemon.
enum StatusJSON {
    /// Whether something can be received. If not, the status is 503.
    static func wellbeing(_ snapshot: EventHub.Snapshot) -> ControlAnswer {
        var json = JSONText()
        let isWell = snapshot.ranking != nil && !snapshot.isBlind
        json.object { json in
            json.value("status", isWell ? "ok" : snapshot.ranking == nil ? "starting" : "blind")
            if !isWell { json.value("reason", reason(snapshot)) }
        }
        return .json(json.text, status: isWell ? 200 : 503)
    }

    private static func reason(_ snapshot: EventHub.Snapshot) -> String {
        let lost = snapshot.sources.filter { $0.state == .lost }.map { "\($0.source): \($0.detail)" }
        if !lost.isEmpty { return lost.joined(separator: "; ") }
        return snapshot.ranking == nil ? "nothing was ranked yet" : "nothing can be heard"
    }

    /// The daemon, its sources, the nearest beacon, and the content.
    static func status(_ daemon: any DaemonAccess) -> String {
        let hub = daemon.hub
        let snapshot = hub.snapshot
        let text = EventText(names: hub.names)
        let now = hub.time
        var json = JSONText()
        json.object { json in
            json.value("version", daemon.version)
            json.value("time", now.rfc3339)
            json.value("started_at", daemon.startedAt.rfc3339)
            json.value("uptime_s", max(0, now.seconds(since: daemon.startedAt)), digits: 0)
            json.scanner(snapshot)
            json.parts(snapshot)
            text.beacon("nearest", snapshot.ranking?.nearest, into: &json)
            json.value("beacons", snapshot.ranking?.beacons.count ?? 0)
            json.value("last_ranking", snapshot.ranking?.time.rfc3339)
            json.value("last_event", Int(clamping: hub.lastID))
            if let content = daemon.content {
                json.object("content") { write(content, snapshot, text, into: &$0) }
            } else {
                json.value("content", String?.none)
            }
            if let reports = snapshot.reports {
                json.object("reports") { json in
                    json.value("last", reports.last?.rfc3339)
                    json.value("waiting", reports.waiting)
                    json.value("problem", reports.problem)
                }
            }
        }
        return json.text
    }

    private static func write(
        _ content: any ContentControl, _ snapshot: EventHub.Snapshot, _ text: EventText, into json: inout JSONText
    ) {
        json.value("site", content.site)
        json.value("directory", clientPath(content.store.directory))
        json.value("revision", snapshot.site.revision.map { Int(clamping: $0) })
        json.value("problem", snapshot.site.problem)
        json.value("fetched_files", snapshot.site.fetchedFiles)
        json.value("fetched_bytes", Int(clamping: snapshot.site.fetchedBytes))
        if let event = snapshot.content {
            json.object("wanted") { text.write(event, into: &$0) }
        } else {
            json.value("wanted", String?.none)
        }
        text.write(progress: snapshot.progress, into: &json)
    }
}
