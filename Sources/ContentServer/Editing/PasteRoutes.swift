import Curation
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import PastedHTML
import Platform
import Serving
import SiteFormat

/// Turns what was pasted into the editor, or typed into the plain field before the editor was there, into text that a
/// page can have.
package struct PasteRoutes: RouteGroup {
    package init() {}

    package func add(to router: Router<CuratorContext>, services: CuratorServices) {
        router.post("/paste") { request, context in
            let editing = try await Editing.begin(request, context, services)
            if let plain = editing.values["plain"] {
                let known = editing.values["known"].flatMap { json in
                    try? decodeDocument(PageText.self, json: Array(json.utf8), source: "known")
                }
                let page = try await OwnThread.run { PlainPageText.read(plain, over: known) }
                return try Self.answer(page, in: editing.language)
            }
            guard let html = editing.values["html"] else {
                throw Refusal(422, "there is no field html", whatToDo: "send what was pasted as html")
            }
            do {
                // Parsing takes up to a second for what somebody made to be slow.
                let page = try await OwnThread.run { try PastedHTML.page(html) }
                return try Self.answer(page, in: editing.language)
            } catch let problem as Problem {
                throw Refusal(422, problem.english, whatToDo: "paste less at once")
            }
        }
    }

    private static func answer(_ page: PageText, in language: Language) throws -> Response {
        Response(
            status: .ok,
            headers: [.contentType: "application/json", .cacheControl: "no-store"],
            body: .init(byteBuffer: .init(bytes: try encodeDocument(EditorPage(page, in: language)))))
    }
}
