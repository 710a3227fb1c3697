import HTTPTypes
package import HummingbirdCore

extension Request {
    /// The request as routes answer it: HEAD is answered as GET (RFC 9110, section 9.3.2), and only GET has ranges
    /// (section 14.2).
    package var asGet: Request {
        guard method == .head else { return self }
        var head = head
        head.method = .get
        head.headerFields[.range] = nil
        return Request(head: head, body: body)
    }
}

extension Response {
    /// The response to HEAD: the fields of the one to GET, and no body. A length that GET does not have is left out
    /// (RFC 9110, section 8.6); the initialiser would add 0.
    package func withoutBody() -> Response {
        var response = Response(status: status, headers: headers)
        response.headers[.contentLength] = headers[.contentLength]
        return response
    }
}
