import Curation
import CurationStore
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import NIOCore
import Serving
import Text

/// Tells open pages who else has the same document open.
package struct PresenceRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.post("/presence/:id") { _, context in
            let visitor = try context.signedIn()
            guard let id = context.parameters.get("id").flatMap(DocumentID.init) else {
                throw Refusal.notFound(context.path)
            }
            let page = String((context.query["page"] ?? "").prefix(40))
            guard context.query["leave"] == nil else {
                services.store.endPresence(visitor.account, page: page, on: id)
                return Response(status: .noContent)
            }
            let others = services.store.notePresence(visitor.account, page: page, on: id, at: services.now())
            var json = JSONText()
            json.object { json in
                json.array("others") { json in
                    for name in others { json.value(nil, name) }
                }
            }
            return Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(string: json.text)))
        }
    }
}
