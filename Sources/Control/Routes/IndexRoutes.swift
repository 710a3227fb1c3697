import Serving
import Text

/// The routes that present all routes: a list, and a description for programs. Both are made on request, which is
/// rare. The description is made on a separate thread, because that takes longer than a millisecond.
struct IndexRoutes: Sendable {
    let all: [ControlRoute]

    /// - Parameter schemas: the schemas that the answers of the routes refer to.
    init(_ identity: ServerIdentity, of others: [ControlRoute], schemas: [String: Schema]) {
        var list = ControlRoute(.get, "/v1", "This list") { _ in .json("") }.giving(.ref("Routes"))
        var description = ControlRoute(.get, "/v1/openapi.json", "All of this for programs: OpenAPI 3.1") { _ in
            .json("")
        }.giving(.object([:]))
        let routes = [list, description] + others
        list.answer = { _ in .json(Self.list(routes)) }
        let work = WorkQueue("descriptions")
        description.answer = { _ in
            .json(try await work.run { _ in Self.description(identity, routes, schemas) })
        }
        all = [list, description]
    }

    private static func description(
        _ identity: ServerIdentity, _ routes: [ControlRoute], _ schemas: [String: Schema]
    ) -> String {
        var api = APIDescription(
            title: identity.name, about: identity.about, operations: routes.map(\.operation), schemas: schemas,
            token: identity.token)
        api.isTokenOptional = true
        return String(decoding: api.json, as: UTF8.self)
    }

    private static func list(_ routes: [ControlRoute]) -> String {
        var json = JSONText()
        json.object { json in
            json.array("routes") { json in
                for route in routes {
                    json.object { json in
                        json.value("method", route.method.rawValue)
                        json.value("path", route.path)
                        json.value("help", route.help)
                    }
                }
            }
        }
        return json.text
    }
}
