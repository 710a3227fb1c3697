import Curation
import CurationStore
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import NIOCore
import Platform
import Serving
import SiteFormat
import Text

/// A request to the API whose parameters have been checked against its route.
struct APIRequest: Sendable {
    let services: CuratorServices
    let context: CuratorContext
    let author: Author
    private let scope: APIToken.Scope
    /// Where a body can be read from, if the route takes bytes.
    let request: Request
    /// The body, if the route takes JSON.
    let body: [UInt8]
    private let keys: BodyKeys?
    private let values: [String: String]
    /// From `If-Match`; nil for `*`.
    let version: Int64?

    /// The largest body, in bytes: that of a document in the store.
    private static let largestBody = 1 << 20

    init(
        _ route: APIRoute, _ request: Request, _ context: CuratorContext, _ services: CuratorServices, _ author: Author
    ) async throws {
        self.services = services
        self.context = context
        self.author = author
        scope = route.scope
        keys = BodyKeys(route)
        values = try Self.values(route, request, context)
        version = route.needsVersion ? try Self.version(request) : nil
        var request = request
        if case .json = route.body {
            body = try await JSONBody.octets(&request, upTo: Self.largestBody)
        } else {
            body = []
        }
        self.request = request
    }

    var store: CurationStore { services.store }
    var now: Moment { services.now() }

    subscript(name: String) -> String? { values[name] }

    func integer(_ name: String) -> Int64? { values[name].flatMap { Int64($0) } }
    func flag(_ name: String) -> Bool { values[name] == "true" }

    /// The document that the path names.
    ///
    /// - Throws: `Refusal` (404).
    func id(_ name: String = "id") throws(Refusal) -> DocumentID {
        guard let id = values[name].flatMap({ DocumentID($0) }) else {
            throw Refusal(404, "there is no document \"\(values[name] ?? "")\"", whatToDo: "list the documents")
        }
        return id
    }

    /// The body as a value.
    func decoded<Value: Decodable & Sendable>(_ type: Value.Type) async throws -> Value {
        try await read { body throws(ContentError) in try decodeDocument(type, json: body, source: "body") }
    }

    /// What `parse` makes of the body. Keys that the operation does not have are refused.
    func read<Value: Sendable>(
        _ parse: @escaping @Sendable ([UInt8]) throws(ContentError) -> Value
    ) async throws -> Value {
        do {
            return try await JSONBody.reading.run { [body, keys] _ throws(ContentError) -> Value in
                let value = try parse(body)
                try keys?.check(body)
                return value
            }
        } catch {
            throw Refusal(400, error.placedProblem, whatToDo: "send what the OpenAPI document says")
        }
    }

    // MARK: - Checks

    /// Checks again that the author may do this, after the body has arrived and before anything is recorded.
    ///
    /// - Parameter other: in place of the scope of the route.
    /// - Throws: `Refusal`.
    func checkAuthor(_ other: APIToken.Scope? = nil) async throws {
        try await TokenAccess.require(other ?? scope, request, context, services)
    }

    private static func values(
        _ route: APIRoute, _ request: Request, _ context: CuratorContext
    ) throws(Refusal) -> [String: String] {
        var values: [String: String] = [:]
        for parameter in route.parameters where parameter.isInPath {
            // RFC 3986, section 2.1: a name may have a space in it, or any letter.
            guard let text = (context.parameters.get(parameter.name) ?? "").removingPercentEncoding,
                parameter.accepts(text)
            else { throw .notFound(context.path) }
            values[parameter.name] = text
        }
        for (name, value) in QueryFields.of(request.uri.query) {
            guard let parameter = route.parameters.first(where: { !$0.isInPath && $0.name == name }) else {
                throw Refusal(
                    400, "there is no parameter \"\(name.prefix(100))\" here",
                    whatToDo: "see /api for those that there are")
            }
            guard values[name] == nil else {
                throw Refusal(400, "the parameter \(name) is given twice", whatToDo: "give it once")
            }
            guard parameter.accepts(value) else {
                throw Refusal(
                    400, "\(name)=\(value.prefix(100)) is not what the parameter takes", whatToDo: "see /api")
            }
            values[name] = value
        }
        return values
    }

    /// RFC 9110, section 13.1.1; RFC 6585, section 3.
    private static func version(_ request: Request) throws(Refusal) -> Int64? {
        guard let field = request.headers[.ifMatch] else {
            throw Refusal(
                428, "the version that is to be changed is missing",
                whatToDo: "send the ETag of the document as If-Match, or If-Match: * to change any version")
        }
        if field == "*" { return nil }
        guard field.count >= 3, field.hasPrefix("\""), field.hasSuffix("\""),
            let version = Int64(field.dropFirst().dropLast()), version >= 0
        else {
            throw Refusal(412, "If-Match is not the version of this document", whatToDo: "read the document again")
        }
        return version
    }
}
