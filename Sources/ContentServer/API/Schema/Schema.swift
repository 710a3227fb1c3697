package import SiteFormat

/// A JSON schema (2020-12), as OpenAPI 3.1 has it.
package struct Schema: Sendable {
    package var json: [String: JSONValue]

    static func ref(_ name: String) -> Schema {
        Schema(json: ["$ref": .string("#/components/schemas/\(name)")])
    }

    static let bool = Schema(json: ["type": .string("boolean")])
    static let any = Schema(json: [:])

    /// - Parameter pattern: a regular expression for the whole text.
    static func text(
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

    static func choice(_ values: [String]) -> Schema {
        Schema(json: ["type": .string("string"), "enum": .array(values.map { .string($0) })])
    }

    static func integer(_ range: ClosedRange<Int64>? = nil) -> Schema {
        var json: [String: JSONValue] = ["type": .string("integer")]
        if let range {
            json["minimum"] = .number(Double(range.lowerBound))
            json["maximum"] = .number(Double(range.upperBound))
        }
        return Schema(json: json)
    }

    static func number(_ range: ClosedRange<Double>? = nil) -> Schema {
        var json: [String: JSONValue] = ["type": .string("number")]
        if let range {
            json["minimum"] = .number(range.lowerBound)
            json["maximum"] = .number(range.upperBound)
        }
        return Schema(json: json)
    }

    static func list(_ items: Schema, most: Int? = nil) -> Schema {
        var json: [String: JSONValue] = ["type": .string("array"), "items": .object(items.json)]
        if let most { json["maxItems"] = .number(Double(most)) }
        return Schema(json: json)
    }

    /// - Parameter required: the names of the properties that are always there.
    static func object(_ properties: [String: Schema], required: [String] = []) -> Schema {
        var json: [String: JSONValue] = [
            "type": .string("object"), "properties": .object(properties.mapValues { .object($0.json) }),
        ]
        if !required.isEmpty { json["required"] = .array(required.sorted().map { .string($0) }) }
        return Schema(json: json)
    }

    /// An object whose keys are language tags.
    static func byLanguage(_ value: Schema) -> Schema {
        Schema(json: [
            "type": .string("object"), "additionalProperties": .object(value.json),
            "propertyNames": .object(["pattern": .string("^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8}){0,3}$")]),
        ])
    }

    /// The same, or null.
    var orNull: Schema {
        Schema(json: ["anyOf": .array([.object(json), .object(["type": .string("null")])])])
    }
}
