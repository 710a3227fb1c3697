package import CurationStore
import HTTPTypes
import Hummingbird
import Serving
import SiteFormat

/// One operation of the managing API. The router, the OpenAPI document and the reference page are made of these.
package struct APIRoute: Sendable {
    package enum Method: String, Sendable, CaseIterable {
        case get, post, put, patch, delete

        var http: HTTPRequest.Method {
            switch self {
            case .get: .get
            case .post: .post
            case .put: .put
            case .patch: .patch
            case .delete: .delete
            }
        }
    }

    /// What a request brings.
    enum Body: Sendable {
        case none
        case json(Schema)
        /// Any bytes: an upload.
        case bytes
    }

    package var method: Method
    /// Below `/api/v1`, with `{name}` for variable parts.
    package var path: String
    package var scope: APIToken.Scope
    var summary: String
    /// The heading under which the reference has it.
    var tag: String
    var parameters: [APIParameter] = []
    /// `If-Match` with the version that the editor saw.
    var needsVersion = false
    var body = Body.none
    /// Of the answer that is no refusal.
    var status = 200
    /// Nil if it has no JSON.
    var answer: Schema?
    /// The media type of an answer that is a file; nil for JSON.
    var file: String?
    var handle: @Sendable (APIRequest) async throws -> APIAnswer = { _ in APIAnswer() }

    init(
        _ method: Method, _ path: String, _ scope: APIToken.Scope, _ tag: String, _ summary: String,
        parameters: [APIParameter] = [], needsVersion: Bool = false, body: Body = .none, status: Int = 200,
        answer: Schema? = nil, file: String? = nil,
        _ handle: @escaping @Sendable (APIRequest) async throws -> APIAnswer
    ) {
        self.method = method
        self.path = path
        self.scope = scope
        self.tag = tag
        self.summary = summary
        self.parameters = parameters
        self.needsVersion = needsVersion
        self.body = body
        self.status = status
        self.answer = answer
        self.file = file
        self.handle = handle
    }

    /// A name for programs: `get_beacons_id`.
    package var operation: String { APIOperation.id(method.rawValue, path) }
}

/// A variable part of the path or of the query.
struct APIParameter: Sendable {
    enum Value: Sendable {
        case text(most: Int)
        case id
        case flag
        case choice([String])
        case integer(ClosedRange<Int64>)
        case date
    }

    var name: String
    var isInPath: Bool
    var value: Value
    var about: String

    static func path(_ name: String, _ value: Value, _ about: String) -> APIParameter {
        APIParameter(name: name, isInPath: true, value: value, about: about)
    }

    static func query(_ name: String, _ value: Value, _ about: String) -> APIParameter {
        APIParameter(name: name, isInPath: false, value: value, about: about)
    }

    var schema: Schema {
        switch value {
        case .text(let most): .text(most: most, least: isInPath ? 1 : nil)
        case .id: DocumentSchemas.id
        case .flag: .bool
        case .choice(let values): .choice(values)
        case .integer(let range): .integer(range)
        case .date: .text(format: "date")
        }
    }

    /// Nil if a text is no such value.
    func accepts(_ text: String) -> Bool {
        switch value {
        case .text(let most): text.unicodeScalars.count <= most
        case .id: text.utf8.count <= 40 && !text.isEmpty
        case .flag: text == "true" || text == "false"
        case .choice(let values): values.contains(text)
        case .integer(let range): text.first != "+" && Int64(text).map(range.contains) ?? false
        case .date: Day(text) != nil
        }
    }
}

/// What the API answers.
struct APIAnswer: Sendable {
    var json: String?
    var fields: HTTPFields = [:]
    /// In place of JSON: a file.
    var response: Response?

    init(_ json: String? = nil, fields: HTTPFields = [:]) {
        self.json = json
        self.fields = fields
    }

    init(response: Response) {
        self.response = response
    }
}
