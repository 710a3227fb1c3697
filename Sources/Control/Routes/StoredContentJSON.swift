import Beacon
import Console
import Content
import Events
import Serving
import SiteFormat
import Text

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A beacon's stored content: its manifest as received, each file with its URL on this server.
struct StoredContentJSON {
    let text: String

    /// - Parameter showsPaths: also includes the paths of the files on this host.
    /// - Throws: `Refusal` if the manifest cannot be read any more.
    init(_ content: StoredContent, _ store: ContentStore, showsPaths: Bool) throws {
        var json = JSONText()
        let manifest = try Self.manifest(content, store, showsPaths: showsPaths)
        json.object { json in
            json.scope(content.scope)
            json.value("name", content.name)
            json.value("validated_at", content.validatedAt?.rfc3339)
            json.value("files", content.assets)
            json.value("missing", content.missing)
            json.value("bytes", Int(clamping: content.bytes))
            if showsPaths { json.value("path", clientPath(content.manifestPath)) }
            json.raw("manifest", manifest)
        }
        text = json.text
    }

    /// Unknown keys are kept.
    private static func manifest(_ content: StoredContent, _ store: ContentStore, showsPaths: Bool) throws -> String {
        do {
            let bytes = try Data(contentsOf: URL(filePath: content.manifestPath))
            let value = annotated(try JSONDecoder().decode(JSONValue.self, from: bytes), store, showsPaths, depth: 0)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            return String(decoding: try encoder.encode(value), as: UTF8.self)
        } catch {
            throw Refusal(
                500, "\(content.manifestPath) cannot be read: \(error)", whatToDo: "run beaconctl content verify")
        }
    }

    private static func annotated(
        _ value: JSONValue, _ store: ContentStore, _ showsPaths: Bool, depth: Int
    ) -> JSONValue {
        // Deeper than any manifest: the decoder itself allows 512.
        guard depth < 32 else { return value }
        switch value {
        case .array(let values):
            return .array(values.map { annotated($0, store, showsPaths, depth: depth + 1) })
        case .object(var members):
            for (key, member) in members { members[key] = annotated(member, store, showsPaths, depth: depth + 1) }
            if case .string(let hash)? = members["sha256"], members["bytes"] != nil, AssetHash(hash) != nil {
                let path = store.assetPath(hash)
                members["url"] = path == nil ? .null : .string(url(hash, members["media_type"]))
                if showsPaths { members["path"] = path.map { .string(clientPath($0)) } ?? .null }
            }
            return .object(members)
        case .null, .bool, .number, .string: return value
        }
    }

    private static func url(_ hash: String, _ type: JSONValue?) -> String {
        let url = "/v1/content/assets/\(hash.lowercased())"
        guard case .string(let type)? = type, let type = MediaTypes.harmless(type) else { return url }
        return url + "?type=" + type.replacing("+", with: "%2B")
    }
}
