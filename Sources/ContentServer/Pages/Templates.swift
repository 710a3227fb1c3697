import CuratorPages
import HTTPTypes
package import Hummingbird
import HummingbirdCore
import Mustache
import NIOCore
package import Serving
import Synchronization
import Text

/// The pages' templates.
package struct Templates: Sendable {
    private let resources: Resources
    private let library: MustacheLibrary

    package init(_ resources: Resources) throws {
        self.resources = resources
        library = try Self.read(resources)
    }

    /// The text of a page.
    ///
    /// - Parameter name: without `.mustache`.
    package func text(_ name: String, _ values: [String: PageValue]) throws(Refusal) -> String {
        let library = resources.folder == nil ? library : (try? Self.read(resources)) ?? library
        guard let text = library.render(PageValue.map(values).forMustache, withTemplate: name) else {
            throw Refusal(500, "the template \(name) is missing", whatToDo: "report this")
        }
        return text
    }

    private static func read(_ resources: Resources) throws -> MustacheLibrary {
        MustacheContentTypes.register(PageMarkup(), named: PageMarkup.name)
        // Each template names it, because the library begins every template with its own type.
        let head = "{{% CONTENT_TYPE:\(PageMarkup.name)}}\n"
        var library = MustacheLibrary()
        for file in EmbeddedResources.templates.keys {
            let text = String(decoding: resources.octets(.templates, file) ?? [], as: UTF8.self)
            try library.register(head + text, named: String(file.dropLast(".mustache".count)))
        }
        return library
    }
}

/// Escapes what a page shows, scalar by scalar as browsers read it. The library's own type escapes characters: a quote
/// before an accent, or "<" behind a scalar that joins the next one, is another character for Swift, and would stay.
private struct PageMarkup: MustacheContentType {
    static let name = "PAGE"

    func escapeText(_ text: String) -> String { escapedMarkup(text.unicodeScalars) }
}

extension CuratorServices {
    /// A page.
    ///
    /// Besides its own values a template has `t`, the texts of the interface by name, and `frame` (`PageFrame`).
    ///
    /// - Parameters:
    ///   - name: of the template, without `.mustache`.
    ///   - status: 422 for a form with mistakes.
    package func page(
        _ name: String, _ values: [String: PageValue], _ context: CuratorContext,
        status: HTTPResponse.Status = .ok
    ) async throws(Refusal) -> Response {
        var all = values
        all["t"] = languages[context.language].tree
        all["frame"] = await PageFrame.values(context, self)
        let text = try templates.text(name, all)
        return Response(
            status: status,
            headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
            body: .init(ByteBuffer(string: text), to: context.client))
    }

    /// Leads a browser to another page of this server after a form was sent.
    package func redirect(to path: String) -> Response {
        Response(status: .seeOther, headers: [.location: LocalPath.checked(path), .cacheControl: "no-store"])
    }

    /// The texts in the language of a request.
    package func texts(_ context: CuratorContext) -> Catalogue { languages[context.language] }
}
