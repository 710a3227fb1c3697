import Console

/// Why a request is not answered as asked: told as JSON, `{"error":"…","what_to_do":"…"}`.
public struct ControlFailure: Error, Hashable, Sendable {
    /// The status (RFC 9110, section 15).
    public var status: Int
    /// What is wrong.
    public var problem: String
    /// What the caller can do.
    public var remedy: String
    /// For 405: what is allowed.
    var allow: [String] = []

    public init(_ status: Int, _ problem: String, whatToDo remedy: String) {
        self.status = status
        self.problem = problem
        self.remedy = remedy
    }

    /// The documented form.
    public var json: String {
        var json = JSONText()
        json.object { json in
            json.value("error", problem)
            json.value("what_to_do", remedy)
        }
        return json.text
    }
}
