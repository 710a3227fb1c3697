import CurationStore
import SiteFormat
import Text

/// The API's description as OpenAPI 3.1, made of the table of routes.
package enum OpenAPIDocument {
    package static let json: [UInt8] = (try? encodeDocument(JSONValue.object(document))) ?? []

    private static let document: [String: JSONValue] = [
        "openapi": .string("3.1.0"),
        "info": .object([
            "title": .string("beacon-content-server"), "version": .string(SoftwareVersion.text),
            "description": .string("Manages what beacons show. Changes are drafts until they are published."),
        ]),
        "servers": .array([.object(["url": .string(ManagingRoutes.base)])]),
        "security": .array([.object(["token": .array([])])]),
        "paths": .object(paths),
        "components": .object([
            "schemas": .object(
                DocumentSchemas.all.merging(AnswerSchemas.all) { $1 }.mapValues { .object($0.json) }),
            "responses": .object([
                "Refusal": .object([
                    "description": .string("The request is refused, and why."),
                    "content": .object([
                        "application/json": .object(["schema": .object(Schema.ref("Refusal").json)])
                    ]),
                ])
            ]),
            "securitySchemes": .object([
                "token": .object([
                    "type": .string("http"), "scheme": .string("bearer"),
                    "description": .string("A token from the page Tokens, with the scope of the operation."),
                ])
            ]),
        ]),
    ]

    private static let paths: [String: JSONValue] = {
        var paths: [String: [String: JSONValue]] = [:]
        for route in ManagingRoutes.table { paths[route.path, default: [:]][route.method.rawValue] = operation(route) }
        return paths.mapValues { .object($0) }
    }()

    private static func operation(_ route: APIRoute) -> JSONValue {
        var parameters = route.parameters.map { parameter in
            JSONValue.object([
                "name": .string(parameter.name), "in": .string(parameter.isInPath ? "path" : "query"),
                "required": .bool(parameter.isInPath), "description": .string(parameter.about),
                "schema": .object(parameter.schema.json),
            ])
        }
        if route.needsVersion {
            parameters.append(
                .object([
                    "name": .string("If-Match"), "in": .string("header"), "required": .bool(true),
                    "description": .string("The ETag of the document as it was read, or * for any version."),
                    "schema": .object(Schema.text(pattern: "^(\\*|\"[0-9]{1,15}\")$").json),
                ]))
        }
        var answer: [String: JSONValue] = ["description": .string("Done.")]
        if let schema = route.answer {
            answer["content"] = .object(["application/json": .object(["schema": .object(schema.json)])])
        }
        if let file = route.file { answer["content"] = .object([file: .object(["schema": .object([:])])]) }
        var operation: [String: JSONValue] = [
            "operationId": .string(route.operation), "summary": .string(route.summary),
            "description": .string("Needs a token with the scope `\(route.scope.rawValue)`."),
            "tags": .array([.string(String(route.tag.dropFirst()))]),
            "responses": .object([
                "\(route.status)": .object(answer),
                "default": .object(["$ref": .string("#/components/responses/Refusal")]),
            ]),
        ]
        if !parameters.isEmpty { operation["parameters"] = .array(parameters) }
        switch route.body {
        case .none: break
        case .json(let schema):
            operation["requestBody"] = .object([
                "required": .bool(true),
                "content": .object(["application/json": .object(["schema": .object(schema.json)])]),
            ])
        case .bytes:
            operation["requestBody"] = .object([
                "required": .bool(true),
                "content": .object(["application/octet-stream": .object(["schema": .object([:])])]),
            ])
        }
        return .object(operation)
    }

    /// For the template of the reference page.
    package static let reference: PageValue = {
        var tags: [String] = []
        for route in ManagingRoutes.table where !tags.contains(route.tag) { tags.append(route.tag) }
        return .list(
            tags.map { tag in
                let routes = ManagingRoutes.table.filter { $0.tag == tag }
                return [
                    "name": .text(String(tag.dropFirst())),
                    "routes": .list(
                        routes.map { route in
                            [
                                "method": .text(route.method.rawValue.uppercased()),
                                "path": .text(ManagingRoutes.base + route.path), "summary": .text(route.summary),
                                "scope": .text(route.scope.rawValue), "version": .flag(route.needsVersion),
                                "parameters": .list(
                                    route.parameters.map { ["name": .text($0.name), "about": .text($0.about)] }),
                            ]
                        }),
                ]
            })
    }()
}
