import Beacon
import Console
import Content
import ControlClient
import SiteFormat

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Parses the daemon's answers about content (docs/api.md).

/// `/v1/content`.
struct StateList: Decodable {
    struct Entry: Decodable {
        private let scope: String
        private let name: String?
        private let word: String
        private let percent: Int?
        private let since: String?
        private let assets: Int
        private let bytes: Int64
        private let presentBytes: Int64
        private let validatedAt: String?

        enum CodingKeys: String, CodingKey {
            case scope, name, percent, since, assets, bytes, presentBytes, validatedAt
            case word = "state"
        }

        /// Nil for a state that only a newer daemon knows.
        var state: ContentState? {
            guard let scope = ContentScope(scope) else { return nil }
            let state: ContentState.State
            switch word {
            case "complete": state = .complete
            case "partial": state = .partial(percent: percent ?? 0)
            case "stale": state = .stale(since: since.flatMap { Timestamp(rfc3339: $0) })
            case "missing": state = .missing
            default: return nil
            }
            return ContentState(
                scope: scope, name: name, state: state, assets: assets, bytes: bytes, presentBytes: presentBytes,
                validatedAt: validatedAt.flatMap { Timestamp(rfc3339: $0) })
        }
    }

    var content: [Entry]
}

extension StoredContent {
    private struct Document: Decodable {
        var scope: String
        var name: String?
        var validatedAt: String?
        var files: Int
        var missing: Int
        var bytes: Int64
        var path: String?
    }

    private struct Outer: Decodable {
        var manifest: JSONValue
    }

    /// `/v1/content/{uuid}/{major}/{minor}`. Nil where the scope is unknown here.
    ///
    /// - Parameter paths: receives the files of the stored assets, by their hashes.
    init?(document bytes: [UInt8], of path: String, paths: inout [String: String]) throws {
        let document: Document = try ControlClient.decoded(bytes, of: path)
        guard let scope = ContentScope(document.scope) else { return nil }
        // The keys are the site's, so they must be kept as they are.
        let outer = try JSONDecoder().decode(Outer.self, from: Data(bytes))
        let manifest = try Manifest(json: Array(try JSONEncoder().encode(outer.manifest)), source: path)
        outer.manifest.collectPaths(into: &paths)
        self.init(
            scope: scope, beacon: scope.beacon, name: document.name, manifest: manifest,
            manifestPath: document.path ?? "-", assets: document.files, missing: document.missing,
            bytes: document.bytes, files: [], validatedAt: document.validatedAt.flatMap { Timestamp(rfc3339: $0) })
    }
}

extension JSONValue {
    fileprivate func collectPaths(into paths: inout [String: String]) {
        switch self {
        case .array(let values):
            for value in values { value.collectPaths(into: &paths) }
        case .object(let members):
            if case .string(let hash)? = members["sha256"], case .string(let path)? = members["path"] {
                paths[hash.lowercased()] = path
            }
            for value in members.values { value.collectPaths(into: &paths) }
        case .null, .bool, .number, .string: break
        }
    }
}

/// `/v1/content/verify`.
struct VerifyDocument: Decodable {
    private let assets: Int
    private let bytes: Int64
    private let damagedAssets: [AssetHash]
    private let damagedDocuments: [String]
    private let missingAssets: [AssetHash]
    /// Nil from an older daemon.
    private let missingDocuments: [String]?
    private let notStored: Int?
    private let repaired: Bool

    var report: VerifyReport {
        var report = VerifyReport()
        report.assets = assets
        report.bytes = bytes
        report.damagedAssets = damagedAssets
        report.damagedDocuments = damagedDocuments
        report.missingAssets = missingAssets
        report.missingDocuments = missingDocuments ?? []
        report.notStored = notStored ?? 0
        report.isRepaired = repaired
        return report
    }
}

/// `/v1/content/prune`.
struct PruneDocument: Decodable {
    private let assets: Int
    private let bytes: Int64
    private let documents: Int

    var report: PruneReport {
        var report = PruneReport()
        report.assets = assets
        report.bytes = bytes
        report.documents = documents
        return report
    }
}

/// A line of `/v1/content/sync`.
enum SyncLine {
    case progress(SiteProgress)
    case summary(SyncSummary)

    private struct Kind: Decodable {
        var event: String
        var code: String?
        var error: String?
        var whatToDo: String?
    }

    private struct Progress: Decodable {
        var manifests: Int
        var totalManifests: Int
        var assets: Int
        var totalAssets: Int
        var bytes: Int64
        var totalBytes: Int64
    }

    private struct Summary: Decodable {
        struct Failure: Decodable {
            var scope: String
            var code: String
            /// The whole text; its parts follow.
            var error: String
            var place: String?
            var problem: String?
            var whatToDo: String?
        }

        var revision: Int64?
        var new: [String]
        var changed: [String]
        var deleted: [String]
        var unchanged: Int
        var failed: [Failure]
        var notTried: Int
        var fetchedAssets: Int
        var transferredBytes: Int64
    }

    /// - Throws: the daemon's error where the sync failed.
    init(_ line: String) throws {
        let bytes = Array(line.utf8)
        let path = "/v1/content/sync"
        let kind: Kind = try ControlClient.decoded(bytes, of: path)
        switch kind.event {
        case "progress":
            let document: Progress = try ControlClient.decoded(bytes, of: path)
            var progress = SiteProgress()
            progress.manifests = document.manifests
            progress.totalManifests = document.totalManifests
            progress.assets = document.assets
            progress.totalAssets = document.totalAssets
            progress.bytes = document.bytes
            progress.totalBytes = document.totalBytes
            self = .progress(progress)
        case "summary":
            self = .summary(try Self.summary(try ControlClient.decoded(bytes, of: path)))
        default:
            throw ContentError(
                code: .init(rawValue: kind.code ?? "unknown"), place: "", cause: kind.error ?? "the sync failed",
                remedy: kind.whatToDo ?? "")
        }
    }

    private static func summary(_ document: Summary) throws -> SyncSummary {
        var summary = SyncSummary()
        summary.revision = document.revision
        summary.new = document.new.compactMap { ContentScope($0) }
        summary.updated = document.changed.compactMap { ContentScope($0) }
        summary.deleted = document.deleted.compactMap { ContentScope($0) }
        summary.unchanged = document.unchanged
        summary.untried = document.notTried
        summary.fetchedAssets = document.fetchedAssets
        summary.transferredBytes = document.transferredBytes
        summary.failed = document.failed.compactMap { failure in
            guard let scope = ContentScope(failure.scope) else { return nil }
            return .init(
                scope: scope,
                error: ContentError(
                    code: .init(rawValue: failure.code), place: failure.place ?? "",
                    cause: failure.problem ?? failure.error, remedy: failure.whatToDo ?? ""))
        }
        return summary
    }
}
