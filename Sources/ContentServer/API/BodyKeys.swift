import Foundation
import Serving
import SiteFormat
import Text

/// The keys that the JSON body of an operation may have, by its schema. Another key would change nothing, and whoever
/// wrote it wrongly would not notice.
struct BodyKeys: Sendable {
    private let schema: Schema
    /// Keys that a client may send back as it has read them. They change nothing.
    private let answered: Set<String>

    /// Nil if the operation takes no JSON.
    init?(_ route: APIRoute) {
        guard case .json(let schema) = route.body else { return nil }
        self.schema = schema
        answered = route.method == .patch ? Set(Self.properties(of: route.answer?.json ?? [:]).keys) : []
    }

    /// - Parameter json: a body that could be decoded.
    /// - Throws: `ContentError` with the first key that is unknown, and those that are known there.
    func check(_ json: [UInt8]) throws(ContentError) {
        guard let value = try? JSONSerialization.jsonObject(with: Data(json)) else { return }
        try Self.compare(value, schema.json, answered, at: "")
    }

    private static func compare(
        _ value: Any, _ schema: [String: JSONValue], _ answered: Set<String> = [], at path: String
    ) throws(ContentError) {
        let schema = resolved(schema)
        if let list = value as? [Any] {
            guard case .object(let item)? = schema["items"] else { return }
            for (index, value) in list.enumerated() { try compare(value, item, at: "\(path)[\(index)]") }
        } else if let object = value as? [String: Any] {
            try compareKeys(of: object, schema, answered, at: path)
        }
    }

    private static func compareKeys(
        of object: [String: Any], _ schema: [String: JSONValue], _ answered: Set<String>, at path: String
    ) throws(ContentError) {
        let (known, other) = (properties(of: schema), schema["additionalProperties"])
        // A schema with neither allows everything.
        guard !known.isEmpty || other != nil else { return }
        for (key, value) in object.sorted(by: { $0.key < $1.key }) {
            let place = (path.isEmpty ? "" : path + ".") + excerpt(key, 60)
            if case .object(let inner)? = known[key] ?? other {
                try compare(value, inner, at: place)
            } else if !answered.contains(key) {
                throw ContentError(
                    code: .format, place: "body: \(place)",
                    cause: "the key is unknown; known are \(known.keys.sorted().joined(separator: ", "))",
                    remedy: "write one of these")
            }
        }
    }

    private static func properties(of schema: [String: JSONValue]) -> [String: JSONValue] {
        guard case .object(let properties)? = resolved(schema)["properties"] else { return [:] }
        return properties
    }

    /// A schema, or the one that it refers to.
    private static func resolved(_ schema: [String: JSONValue]) -> [String: JSONValue] {
        guard case .string(let reference)? = schema["$ref"], let name = reference.split(separator: "/").last else {
            return schema
        }
        return OpenAPIDocument.schemas[String(name)]?.json ?? schema
    }
}
