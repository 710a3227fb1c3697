package import SiteFormat

/// A JSON schema (2020-12), as OpenAPI 3.1 uses it.
package struct Schema: Sendable {
    package var json: [String: JSONValue]

    package init(json: [String: JSONValue]) {
        self.json = json
    }

    package static func ref(_ name: String) -> Schema {
        Schema(json: ["$ref": .string("#/components/schemas/\(name)")])
    }

    package static let bool = Schema(json: ["type": .string("boolean")])
    package static let any = Schema(json: [:])
    package static let uuid = Schema.text(
        "A UUID.", pattern: "^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$")
    package static let moment = Schema.text("RFC 3339, in UTC.", format: "date-time")
    package static let sixteenBits = Schema.integer(0...65_535)

    /// - Parameter pattern: a regular expression for the whole text.
    package static func text(
        _ about: String? = nil, most: Int? = nil, least: Int? = nil, pattern: String? = nil, format: String? = nil
    ) -> Schema {
        var json: [String: JSONValue] = ["type": .string("string")]
        if let about { json["description"] = .string(about) }
        if let most { json["maxLength"] = .number(Double(most)) }
        if let least { json["minLength"] = .number(Double(least)) }
        if let pattern { json["pattern"] = .string(pattern) }
        if let format { json["format"] = .string(format) }
        return Schema(json: json)
    }

    package static func choice(_ values: [String]) -> Schema {
        Schema(json: ["type": .string("string"), "enum": .array(values.map { .string($0) })])
    }

    package static func integer(_ range: ClosedRange<Int64>? = nil) -> Schema {
        var json: [String: JSONValue] = ["type": .string("integer")]
        if let range {
            json["minimum"] = .number(Double(range.lowerBound))
            json["maximum"] = .number(Double(range.upperBound))
        }
        return Schema(json: json)
    }

    package static func number(_ range: ClosedRange<Double>? = nil) -> Schema {
        var json: [String: JSONValue] = ["type": .string("number")]
        if let range {
            json["minimum"] = .number(range.lowerBound)
            json["maximum"] = .number(range.upperBound)
        }
        return Schema(json: json)
    }

    package static func list(_ items: Schema, most: Int? = nil) -> Schema {
        var json: [String: JSONValue] = ["type": .string("array"), "items": .object(items.json)]
        if let most { json["maxItems"] = .number(Double(most)) }
        return Schema(json: json)
    }

    /// An object with properties that are always present, and optional ones.
    package static func whole(_ properties: [String: Schema], optional: [String: Schema] = [:]) -> Schema {
        object(properties.merging(optional) { $1 }, required: Array(properties.keys))
    }

    /// - Parameter required: the names of the properties that are always present.
    package static func object(_ properties: [String: Schema], required: [String] = []) -> Schema {
        var json: [String: JSONValue] = [
            "type": .string("object"), "properties": .object(properties.mapValues { .object($0.json) }),
        ]
        if !required.isEmpty { json["required"] = .array(required.sorted().map { .string($0) }) }
        return Schema(json: json)
    }

    /// The same, or null.
    package var orNull: Schema {
        Schema(json: ["anyOf": .array([.object(json), .object(["type": .string("null")])])])
    }
}
