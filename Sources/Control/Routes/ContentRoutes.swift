import Beacon
import Console
import Content
import Events
import Platform
import Serving
import SiteFormat
import Text

/// The stored content and the operations on it.
///
/// Manifests are read on a separate thread, for one client at a time. The list of all content is made once for all
/// clients that ask for it.
struct ContentRoutes: Sendable {
    private struct ListKey: Hashable {
        var directory: String
        var changes: UInt64
        /// A reload of the configuration may change them.
        var names: KnownBeacons
    }

    private let daemon: any DaemonAccess
    private let manifests = WorkQueue("content", maximumWaiting: 64)
    private let list: SharedAnswer<ListKey>

    init(_ daemon: any DaemonAccess) {
        self.daemon = daemon
        list = SharedAnswer(WorkQueue("the list of content"), mayAge: true)
    }

    var all: [ControlRoute] {
        [
            ControlRoute(.get, "/v1/content", "Every beacon of the site, and how much of its content is there") { _ in
                try await states()
            }.giving(.ref("ContentList")),
            ControlRoute(.get, "/v1/content/uncategorized", "What is shown where no beacon is near") { request in
                try await stored(for: nil, request)
            }.giving(.ref("StoredContent")),
            ControlRoute(.get, "/v1/content/{uuid}/{major}/{minor}", "A beacon's content, its files as local URLs") {
                try await stored(for: try $0.beacon(), $0)
            }.giving(.ref("StoredContent")),
            ControlRoute(.get, "/v1/content/assets/{sha256}", "A file of the content; Range and If-None-Match count") {
                try Self.asset($0, daemon)
            }.asking(.mediaType).giving([.init("*/*")], [.init(206, "A range of it.", [.init("*/*")])]),
            ControlRoute(.post, "/v1/content/sync", "Syncs the whole site; progress and the summary as JSON lines") {
                request in
                var accepting: SiteAcceptance = []
                if try request.isSet("accept_removals") { accepting.insert(.removals) }
                if try request.isSet("accept_revision") { accepting.insert(.revision) }
                return try Self.sync(try Self.content(daemon), accepting)
            }.asking(
                .flag("accept_removals", "Accept a list that removes much."),
                .flag("accept_revision", "Accept a list with any revision: a lower one, or one that is far higher.")
            ).giving([.init("application/x-ndjson")]),
            ControlRoute(
                .post, "/v1/content/verify",
                "Reads every stored file again, and fetches damaged ones again; ?dry_run=1 only looks"
            ) { request in
                let content = try Self.content(daemon)
                let repairs = try !request.isSet("dry_run")
                defer { list.forget() }
                let report = try await Self.answering { try await content.verify(repair: repairs) }
                return .json(ContentText.json(report))
            }.asking(.flag("dry_run", "Change nothing.")).giving(.ref("Verification")),
            ControlRoute(.post, "/v1/content/prune", "Removes what the site no longer has") { _ in
                let content = try Self.content(daemon)
                defer { list.forget() }
                return .json(ContentText.json(try await Self.answering { try await content.prune() }))
            }.giving(.ref("Removal")),
        ]
    }

    private static func content(_ daemon: any DaemonAccess) throws(Refusal) -> any ContentControl {
        guard let content = daemon.content else {
            throw Refusal(
                404, "the daemon keeps no content", whatToDo: "set content.base_url in its configuration, and reload it"
            )
        }
        return content
    }

    /// Turns content errors into failures with the same text.
    private static func answering<Result>(_ work: () async throws -> Result) async throws -> Result {
        do {
            return try await work()
        } catch let error as ContentError {
            throw Refusal(error.status, error)
        }
    }

    private func states() async throws -> ControlAnswer {
        let store = try Self.content(daemon).store
        let names = daemon.hub.names.configured
        let key = ListKey(
            directory: store.directory, changes: daemon.hub.snapshot.contentChanges, names: names)
        let body = try await list.body(for: key) { interest in
            var json = JSONText()
            let states = store.states(now: WallClock.now, while: { interest.isWanted })
            try interest.check()
            json.object { json in
                json.array("content") { json in
                    for state in states { json.object { ContentText.write(state.named(by: names), into: &$0) } }
                }
            }
            return SharedBody(json.text + "\n")
        }
        return .json(body)
    }

    private func stored(for beacon: BeaconID?, _ request: ControlRequest) async throws -> ControlAnswer {
        let store = try Self.content(daemon).store
        let names = daemon.hub.names.configured
        let showsPaths = request.isLocal
        let body = try await manifests.run { _ in
            guard let found = store.content(for: beacon)?.named(by: names) else {
                throw Refusal(
                    404, "nothing is stored for \(beacon?.description ?? "uncategorized")",
                    whatToDo: "beaconctl content sync fetches what the site has")
            }
            return SharedBody(try StoredContentJSON(found, store, showsPaths: showsPaths).text + "\n")
        }
        return .json(body)
    }

    private static func asset(_ request: ControlRequest, _ daemon: any DaemonAccess) throws -> ControlAnswer {
        let store = try content(daemon).store
        let hash = request["sha256"]
        guard AssetHash(hash) != nil else {
            throw Refusal(400, "\(hash) is no SHA-256", whatToDo: "write its 64 hexadecimal digits")
        }
        guard let path = store.assetPath(hash) else {
            throw Refusal(
                404, "the file \(hash) is not stored", whatToDo: "beaconctl content sync fetches what the site has")
        }
        // The page knows the type from the manifest. Files from the network must never run as part of this site.
        // A type has no space in it: that was an unescaped `+`, as in image/svg+xml.
        let wanted = request.query("type")?.replacing(" ", with: "+")
        let type = wanted.flatMap(MediaTypes.harmless) ?? "application/octet-stream"
        return ControlAnswer(
            mediaType: type,
            fields: [
                "Cache-Control": "private, max-age=31536000, immutable", "ETag": "\"\(hash.lowercased())\"",
                "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
            ],
            body: .file(path: path))
    }

    private static func sync(_ content: any ContentControl, _ accepting: SiteAcceptance) throws -> ControlAnswer {
        guard content.site != nil else {
            throw Refusal(
                409, "no content site is configured",
                whatToDo: "set content.base_url in the configuration, and reload it")
        }
        return ControlAnswer(
            mediaType: "application/x-ndjson", fields: ["Cache-Control": "no-store"],
            body: .stream { output in
                let (lines, continuation) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingNewest(16))
                let work = Task {
                    defer { continuation.finish() }
                    do {
                        let summary = try await content.syncAll(accepting: accepting) {
                            continuation.yield(ContentText.json($0))
                        }
                        continuation.yield(ContentText.json(summary))
                    } catch let error as ContentError {
                        continuation.yield(ContentText.json(failure: error, code: error.code.rawValue))
                    }
                }
                for await line in lines { try await output.write(line + "\n") }
                try await work.value
            })
    }
}

extension ContentError {
    /// RFC 9110, section 15.
    fileprivate var status: Int {
        switch code {
        case .settings: 409
        case .locked, .cancelled: 503
        case .storage, .diskFull, .quota: 507
        default: 502
        }
    }
}
