/// One request of an API, described for programs.
package struct APIOperation: Sendable {
    package struct Parameter: Sendable {
        package enum Place: String, Sendable {
            case path, query, header
        }

        var name: String
        var place: Place
        var isRequired: Bool
        var about: String
        var schema: Schema

        package init(_ name: String, in place: Place, _ about: String, _ schema: Schema, isRequired: Bool = false) {
            self.name = name
            self.place = place
            self.about = about
            self.schema = schema
            self.isRequired = isRequired || place == .path
        }
    }

    /// A body of a request or an answer.
    package struct Content: Sendable {
        var mediaType: String
        var schema: Schema

        /// - Parameter schema: if nil, a string for text media types, and anything otherwise.
        package init(_ mediaType: String, _ schema: Schema? = nil) {
            self.mediaType = mediaType
            self.schema = schema ?? (mediaType.hasPrefix("text/") ? .text() : .any)
        }

        package static func json(_ schema: Schema) -> Content { Content("application/json", schema) }
    }

    package struct Answer: Sendable {
        var status: Int
        var about: String
        var contents: [Content]

        package init(_ status: Int = 200, _ about: String = "Done.", _ contents: [Content] = []) {
            self.status = status
            self.about = about
            self.contents = contents
        }
    }

    /// The HTTP method, in any case.
    package var method: String
    /// The path, with `{name}` for variable parts.
    package var path: String
    package var summary: String
    /// Further text; nil for none.
    package var about: String?
    /// The heading that the operation is listed under; nil for none.
    package var tag: String?
    package var parameters: [Parameter] = []
    package var body: Content?
    /// The answers that are not refusals.
    package var answers: [Answer] = []

    package init(_ method: String, _ path: String, _ summary: String) {
        self.method = method
        self.path = path
        self.summary = summary
    }

    /// A name for programs: `get_beacons_id`.
    package var id: String { Self.id(method, path) }

    package static func id(_ method: String, _ path: String) -> String {
        ([method.lowercased()] + path.split(whereSeparator: { "/{}.".contains($0) }).map(String.init)).joined(
            separator: "_")
    }
}
