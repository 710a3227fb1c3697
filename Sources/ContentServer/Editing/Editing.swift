import Curation
import CurationStore
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Serving

/// One request to a page of content: who asks, in which language of the site the texts are edited, and how the answer
/// is made.
struct Editing: Sendable {
    let services: CuratorServices
    let context: CuratorContext
    let visitor: Visitor
    let site: SiteDocument
    /// The language of the site whose texts the form shows.
    let language: Language
    let query: [String: String]
    /// When the request came.
    let began: Moment

    /// - Throws: `Refusal` if nobody is signed in, or may not change anything.
    static func begin(
        _ request: Request, _ context: CuratorContext, _ services: CuratorServices
    ) async throws -> Editing {
        let isReading = request.method == .get || request.method == .head
        let visitor = try context.signedIn(isReading ? .viewer : .editor)
        let site = try await services.store.site().document.site ?? SiteDocument()
        var query: [String: String] = [:]
        for (name, value) in QueryFields.of(request.uri.query) where query.count < 20 {
            query[name] = String(value.prefix(500))
        }
        let wanted = (context.form["language"] ?? query["language"]).flatMap(Language.init)
        return Editing(
            services: services, context: context, visitor: visitor, site: site,
            language: wanted.flatMap { site.languages.contains($0) ? $0 : nil } ?? site.defaultLanguage, query: query,
            began: services.now())
    }

    var store: CurationStore { services.store }
    var author: Author { Author(visitor.account) }
    var now: Moment { services.now() }
    var texts: Catalogue { services.texts(context) }
    var form: FormFields { context.form }
    var values: FormValues { FormValues(form) }
    var mayEdit: Bool { visitor.role >= .editor }

    /// A part of the path.
    func id(_ name: String = "id") throws(Refusal) -> DocumentID {
        guard let id = context.parameters.get(name).flatMap({ DocumentID($0) }) else {
            throw .notFound(context.path)
        }
        return id
    }

    /// The document that the path names.
    func document(_ kind: Document.Kind) async throws -> StoredDocument {
        let id = try id()
        do {
            let stored = try await store.document(id)
            guard stored.document.kind == kind else { throw Refusal.notFound(context.path) }
            return stored
        } catch let error as StoreError where error.code == .notFound {
            throw Refusal.notFound(context.path)
        }
    }

    /// What people call a document; a stand-in where it has no name.
    func name(of document: Document) -> String {
        let name = document.name(in: [site.defaultLanguage] + site.languages)
        return name.isEmpty ? texts.text("edit.nameless.\(document.kind.rawValue)") : name
    }

    /// A page, with what all pages of content have.
    ///
    /// - Parameter path: where its form is shown; nil for the path of the request. A form that comes back after
    ///   something else was refused has another one, which cannot be opened.
    func page(
        _ template: String, _ values: [String: PageValue], at path: String? = nil, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var all = values
        all["csrf"] = .text(context.csrf)
        all["language"] = .text(language.tag)
        all["may_edit"] = .flag(mayEdit)
        all["languages"] = languageSwitch(path ?? context.path)
        all["many_languages"] = .flag(site.languages.count > 1)
        return try await services.page(template, all, context, status: status)
    }

    /// Leads to a page that says that it is done, and offers to undo it.
    ///
    /// - Parameters:
    ///   - done: a text `done.NAME`; nil if there was nothing to do.
    ///   - place: the element that gets the focus.
    ///   - document: the change that the request has made to this document can be undone there. A form that changed
    ///     nothing offers no undoing of what somebody did before.
    func redirect(
        to path: String, done: String? = nil, undo document: DocumentID? = nil, place: String? = nil
    ) async throws -> Response {
        var fields: [String] = []
        if let done { fields.append("done=\(done)") }
        if let document, let change = try await store.changes(ChangeQuery(document: document, limit: 1)).first,
            change.canBeUndone, change.by == author.name, change.at >= began
        {
            fields.append("undo=\(change.number)")
        }
        if language != site.defaultLanguage { fields.append("language=\(language.tag)") }
        var address = path
        if !fields.isEmpty { address += (path.contains("?") ? "&" : "?") + fields.joined(separator: "&") }
        if let place { address += "#\(place)" }
        return services.redirect(to: address)
    }

    /// Links to the same form in the other languages of the site; empty if there is only one.
    private func languageSwitch(_ path: String) -> PageValue {
        guard site.languages.count > 1 else { return .none }
        return .list(
            site.languages.map { each in
                [
                    "tag": .text(each.tag), "name": .text(texts.name(of: each)), "current": .flag(each == language),
                    "href": .text("\(path)?language=\(each.tag)"),
                    "is_default": .flag(each == site.defaultLanguage),
                ]
            })
    }
}

extension Catalogue {
    /// A language's name in the language of the pages; its tag if there is none.
    func name(of language: Language) -> String {
        let key = "edit.language.\(language.tag.lowercased())"
        return has(key) ? text(key) : language.tag
    }

    /// A problem in the language of the pages.
    func text(_ problem: Problem) -> String {
        let key = "problem.\(problem.code.rawValue)"
        guard has(key) else { return problem.english }
        guard problem.code == .languageMissing else { return text(key, arguments: problem.arguments) }
        // Its argument is a language's tag, which few people know.
        return text(key, arguments: problem.arguments.map { tag in Language(tag).map { name(of: $0) } ?? tag })
    }
}

extension FormValues {
    /// Of fields with the same name the last one counts: a box that is not checked has a hidden field before it.
    package init(_ form: FormFields) {
        var texts: [String: String] = [:]
        for field in form.fields where texts.count < URLEncodedForm.mostFields { texts[field.name] = field.value }
        self.init(texts)
    }
}
