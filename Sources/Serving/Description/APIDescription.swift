import SiteFormat
import Text

/// The requests of an API, as an OpenAPI 3.1 document.
package struct APIDescription: Sendable {
    package var title: String
    package var about: String
    /// The path that all paths are below.
    package var base = "/"
    package var operations: [APIOperation]
    /// The schemas by name. `Refusal` is the schema of every answer that is not listed.
    package var schemas: [String: Schema]
    /// Describes the token that a request needs.
    package var token: String
    /// Requests may also come without a token.
    package var isTokenOptional = false

    package init(title: String, about: String, operations: [APIOperation], schemas: [String: Schema], token: String) {
        self.title = title
        self.about = about
        self.operations = operations
        self.schemas = schemas
        self.token = token
    }

    /// The document. Equal descriptions give equal bytes.
    package var json: [UInt8] { (try? encodeDocument(JSONValue.object(document))) ?? [] }

    private var document: [String: JSONValue] {
        [
            "openapi": .string("3.1.0"),
            "info": .object([
                "title": .string(title), "version": .string(SoftwareVersion.text), "description": .string(about),
            ]),
            "servers": .array([.object(["url": .string(base)])]),
            "security": .array((isTokenOptional ? [.object([:])] : []) + [.object(["token": .array([])])]),
            "paths": .object(paths),
            "components": .object([
                "schemas": .object(schemas.mapValues { .object($0.json) }),
                "responses": .object([
                    "Refusal": .object([
                        "description": .string("The request is refused, and why."),
                        "content": Self.contents([.json(.ref("Refusal"))]),
                    ])
                ]),
                "securitySchemes": .object([
                    "token": .object([
                        "type": .string("http"), "scheme": .string("bearer"), "description": .string(token),
                    ])
                ]),
            ]),
        ]
    }

    private var paths: [String: JSONValue] {
        var paths: [String: [String: JSONValue]] = [:]
        for operation in operations {
            paths[operation.path, default: [:]][operation.method.lowercased()] = .object(Self.json(operation))
        }
        return paths.mapValues { .object($0) }
    }

    private static func json(_ operation: APIOperation) -> [String: JSONValue] {
        var answers = ["default": JSONValue.object(["$ref": .string("#/components/responses/Refusal")])]
        for answer in operation.answers {
            var json = ["description": JSONValue.string(answer.about)]
            if !answer.contents.isEmpty { json["content"] = contents(answer.contents) }
            answers["\(answer.status)"] = .object(json)
        }
        var json: [String: JSONValue] = [
            "operationId": .string(operation.id), "summary": .string(operation.summary), "responses": .object(answers),
        ]
        if let about = operation.about { json["description"] = .string(about) }
        if let tag = operation.tag { json["tags"] = .array([.string(tag)]) }
        if !operation.parameters.isEmpty { json["parameters"] = .array(operation.parameters.map(Self.json)) }
        if let body = operation.body {
            json["requestBody"] = .object(["required": .bool(true), "content": contents([body])])
        }
        return json
    }

    private static func json(_ parameter: APIOperation.Parameter) -> JSONValue {
        .object([
            "name": .string(parameter.name), "in": .string(parameter.place.rawValue),
            "required": .bool(parameter.isRequired), "description": .string(parameter.about),
            "schema": .object(parameter.schema.json),
        ])
    }

    private static func contents(_ contents: [APIOperation.Content]) -> JSONValue {
        .object(
            Dictionary(contents.map { ($0.mediaType, .object(["schema": .object($0.schema.json)])) }) { first, _ in
                first
            })
    }
}
