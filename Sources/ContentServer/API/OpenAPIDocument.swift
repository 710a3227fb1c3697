import CurationStore
import Serving

/// The API's description as OpenAPI 3.1, made of the table of routes.
package enum OpenAPIDocument {
    /// By name.
    static let schemas = DocumentSchemas.all.merging(AnswerSchemas.all) { $1 }

    package static let json: [UInt8] = {
        var description = APIDescription(
            title: "beacon-content-server",
            about: "Manages what beacons show. Changes are drafts until they are published.",
            operations: ManagingRoutes.table.map(operation),
            schemas: schemas,
            token: "A token from the page Tokens, with the scope of the operation.")
        description.base = ManagingRoutes.base
        return description.json
    }()

    private static func operation(_ route: APIRoute) -> APIOperation {
        var operation = APIOperation(route.method.rawValue, route.path, route.summary)
        operation.about = "Needs a token with the scope `\(route.scope.rawValue)`."
        operation.tag = String(route.tag.dropFirst())
        operation.parameters = route.parameters.map { parameter in
            .init(parameter.name, in: parameter.isInPath ? .path : .query, parameter.about, parameter.schema)
        }
        if route.needsVersion {
            operation.parameters.append(
                .init(
                    "If-Match", in: .header, "The ETag of the document as it was read, or * for any version.",
                    .text(pattern: "^(\\*|\"[0-9]{1,15}\")$"), isRequired: true))
        }
        switch route.body {
        case .none: break
        case .json(let schema): operation.body = .json(schema)
        case .bytes: operation.body = .init("application/octet-stream")
        }
        let content = route.file.map { APIOperation.Content($0) } ?? route.answer.map { .json($0) }
        operation.answers = [.init(route.status, "Done.", [content].compactMap(\.self))]
        return operation
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
