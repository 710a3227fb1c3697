package import Beacon
package import Content
import Health
import Ranging
import SiteFormat
package import Text

/// Events in the documented machine-readable form, shared by every output: one JSON object each.
///
///     {"id":1700000000000000,"time":"2026-11-21T08:00:00.000000Z","event":"entered","text":"entered  Lobby",
///      "beacon":{"uuid":"…","major":1,"minor":2,"name":"Lobby"}}
package struct EventText: Sendable {
    private let names: Names

    package init(names: Names) {
        self.names = names
    }

    /// One JSON object, without a line end.
    package func json(_ record: EventRecord) -> String {
        var json = JSONText()
        json.object { write(record, into: &$0) }
        return json.text
    }

    /// The same as the value of a key.
    package func write(_ record: EventRecord, into json: inout JSONText) {
        if !record.event.isPassing { json.value("id", Int(clamping: record.id)) }
        json.value("time", record.time.rfc3339)
        json.value("event", record.event.kind)
        if let (level, text) = record.event.line(names: names) {
            json.value("text", text)
            if level == .warning { json.value("level", "warning") }
        }
        switch record.event {
        case .listening(let source, let how):
            json.value("source", source)
            json.value("state", "listening")
            json.value("detail", how)
        case .lost(let source, let problem, let retry):
            json.value("source", source)
            json.value("state", "lost")
            json.value("detail", problem)
            json.value("retry_s", retry, digits: 1)
        case .over(let source):
            json.value("source", source)
            json.value("state", "over")
        case .hearing(let hearing): json.value("scanner", hearing == .blind ? "blind" : "ok")
        case .ranging(let event): write(event, into: &json)
        case .health(let change):
            beacon("beacon", change.beacon, into: &json)
            json.value("state", change.isOver ? "over" : "began")
            json.problem(change.problem)
        case .content(let event): write(event, into: &json)
        case .site(let event): write(event, into: &json)
        case .synced(let summary): write(summary, into: &json)
        case .trouble(let part, let problem, let retry):
            json.value("part", part)
            json.value("state", "failed")
            json.value("problem", problem)
            if let retry { json.value("retry_s", retry, digits: 1) }
        case .mended(let part):
            json.value("part", part)
            json.value("state", "mended")
        case .configuration(let isGood, let lines):
            json.value("state", isGood ? "applied" : "refused")
            json.array("details") { json in
                for line in lines { json.value(nil, line) }
            }
        }
    }

    /// A beacon as the value of a key; null for nil.
    package func beacon(_ key: String, _ id: BeaconID?, into json: inout JSONText) {
        if let id {
            json.object(key) { $0.identity(id, name: names.given(id)) }
        } else {
            json.value(key, String?.none)
        }
    }

    private func write(_ event: RangingEvent, into json: inout JSONText) {
        switch event {
        case .entered(let id), .exited(let id): beacon("beacon", id, into: &json)
        case .nearest(let id, let previous):
            beacon("beacon", id, into: &json)
            beacon("previous", previous, into: &json)
        case .proximity(let id, let proximity, let previous):
            beacon("beacon", id, into: &json)
            json.value("proximity", proximity.rawValue)
            json.value("previous", previous.rawValue)
        case .regionEntered(let region):
            json.value("region", region.identifier)
            json.value("change", "entered")
        case .regionExited(let region, let seconds):
            json.value("region", region.identifier)
            json.value("change", "exited")
            json.value("after_s", seconds, digits: 1)
        case .regionDwelled(let region):
            json.value("region", region.identifier)
            json.value("change", "dwelled")
        }
    }

    /// Downloads in progress, as `progress`.
    package func write(progress: [(beacon: BeaconID?, progress: ContentProgress)], into json: inout JSONText) {
        json.array("progress") { json in
            for (id, progress) in progress {
                json.object { json in
                    beacon("beacon", id, into: &json)
                    json.progress(progress)
                }
            }
        }
    }

    /// The state of a beacon's content, without the event around it.
    package func write(_ event: ContentEvent, into json: inout JSONText) {
        beacon("beacon", event.beacon, into: &json)
        switch event {
        case .started: json.value("state", "started")
        case .progress(_, let progress):
            json.value("state", "progress")
            json.progress(progress)
        case .ready(_, let summary):
            json.value("state", "ready")
            json.value("scope", "\(summary.scope)")
            json.value("files", summary.assets)
            json.value("bytes", Int(clamping: summary.bytes))
            json.value("fetched_files", summary.fetchedAssets)
            json.value("fetched_bytes", Int(clamping: summary.fetchedBytes))
            json.value("unchanged", summary.unchanged)
        case .nothing: json.value("state", "nothing")
        case .failed(_, let error, let stillHasOld):
            json.value("state", "failed")
            json.problem(error)
            json.value("still_has_old", stillHasOld)
        case .waiting(_, let stillHasOld):
            json.value("state", "waiting")
            json.value("still_has_old", stillHasOld)
        case .recovered: json.value("state", "recovered")
        }
    }

    private func write(_ event: SiteEvent, into json: inout JSONText) {
        switch event {
        case .changed(let revision):
            json.value("state", "changed")
            json.value("revision", Int(clamping: revision))
        case .refused(let error):
            json.value("state", "refused")
            json.problem(error)
        case .recovered: json.value("state", "recovered")
        case .failed(let scope, let error):
            json.value("state", "failed")
            json.value("scope", "\(scope)")
            json.problem(error)
        case .evicted(let scopes):
            json.value("state", "evicted")
            json.array("scopes") { json in
                for scope in scopes { json.value(nil, "\(scope)") }
            }
        case .pruned(let report):
            json.value("state", "pruned")
            json.value("manifests", report.documents)
            json.value("files", report.assets)
            json.value("bytes", Int(clamping: report.bytes))
        }
    }

    private func write(_ summary: SyncSummary, into json: inout JSONText) {
        json.value("state", "synced")
        json.value("new", summary.new.count)
        json.value("changed", summary.updated.count)
        json.value("unchanged", summary.unchanged)
        json.value("deleted", summary.deleted.count)
        json.value("failed", summary.failed.count)
        json.value("untried", summary.untried)
        json.value("fetched_files", summary.fetchedAssets)
        json.value("fetched_bytes", Int(clamping: summary.transferredBytes))
    }
}

extension JSONText {
    /// The progress of a sync.
    package mutating func progress(_ progress: ContentProgress) {
        value("fetched_bytes", Int(clamping: progress.bytes))
        value("bytes", Int(clamping: progress.totalBytes))
        value("fetched_files", progress.assets)
        value("files", progress.totalAssets)
    }

    fileprivate mutating func problem(_ error: ContentError) {
        value("code", error.code.rawValue)
        value("problem", "\(error)")
    }
}
