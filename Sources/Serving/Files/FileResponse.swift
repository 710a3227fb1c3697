package import HTTPTypes
package import HummingbirdCore

/// A file, or the requested part of it (RFC 9110, section 14). If several parts are requested, the whole file is sent.
/// Nothing is sent if the client already has the file.
package enum FileResponse {
    /// - Parameters:
    ///   - headers: the headers of the answer, with the file's entity tag.
    ///   - realm: what refusals name as the realm.
    /// - Throws: `Refusal` if the file does not exist.
    package static func make(
        _ path: String, _ headers: HTTPFields, _ request: Request, _ transfers: FileTransfers, to client: Client,
        realm: String
    ) async throws -> Response {
        if let unchanged = notModified(headers, request) { return unchanged }
        let file = try await transfers.opened(path)
        return response(headers, request, size: file.size, realm: realm) { range in
            ResponseBody(contentLength: range.count) { writer in
                try await transfers.send(file, range, to: client) { try await writer.write($0) }
                try await writer.finish(nil)
            }
        }
    }

    /// The same for a file in memory.
    package static func make(
        _ bytes: [UInt8], _ headers: HTTPFields, _ request: Request, to client: Client, realm: String
    ) -> Response {
        notModified(headers, request)
            ?? response(headers, request, size: bytes.count, realm: realm) { range in
                ResponseBody(bytes, Range(range), to: client)
            }
    }

    /// RFC 9110, section 15.4.5. Nil if the client has another version, or none.
    private static func notModified(_ headers: HTTPFields, _ request: Request) -> Response? {
        guard let tag = headers[.eTag], EntityTag.matches(request.headers[.ifNoneMatch], tag) else { return nil }
        var headers = headers
        headers[.contentType] = nil
        return Response(status: .notModified, headers: headers)
    }

    private static func response(
        _ headers: HTTPFields, _ request: Request, size: Int, realm: String,
        _ body: (ClosedRange<Int>) -> ResponseBody
    ) -> Response {
        var headers = headers
        headers[.acceptRanges] = "bytes"
        switch ByteRange(request, headers, of: size) {
        case nil:
            guard size > 0 else { return Response(status: .ok, headers: headers) }
            return Response(status: .ok, headers: headers, body: body(0...(size - 1)))
        case .part(let range)?:
            headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound)/\(size)"
            return Response(status: .partialContent, headers: headers, body: body(range))
        case .unsatisfiable?:
            var failure = Refusal(416, "the file has \(size) bytes", whatToDo: "ask for a part of these")
                .response(realm: realm)
            failure.headers[.contentRange] = "bytes */\(size)"
            return failure
        }
    }
}

/// A `Range` field.
package enum ByteRange: Equatable {
    case part(ClosedRange<Int>)
    case unsatisfiable

    /// The part that a request asks for; nil if the whole file is to be sent.
    ///
    /// - Parameter headers: the headers of the answer, with the file's entity tag.
    init?(_ request: Request, _ headers: HTTPFields, of size: Int) {
        // RFC 9110, section 14.2: only GET has ranges. Section 13.1.5: a part of another version is useless.
        guard request.method == .get, let asked = request.headers[.range],
            request.headers[.ifRange].map({ $0 == headers[.eTag] }) ?? true
        else { return nil }
        self.init(asked, of: size)
    }

    /// Nil if the whole file is to be sent: another unit, several parts, or an invalid field.
    package init?(_ field: String, of size: Int) {
        guard field.hasPrefix("bytes=") else { return nil }
        let parts = field.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, !field.contains(",") else { return nil }
        let first = Self.number(parts[0])
        let last = Self.number(parts[1])
        switch (first, last) {
        case (let first?, _) where parts[1].isEmpty || last != nil:
            if let last, last < first { return nil }
            self = first < size ? .part(first...min(last ?? size - 1, size - 1)) : .unsatisfiable
        case (nil, let length?) where parts[0].isEmpty:
            self = length > 0 && size > 0 ? .part(max(0, size - length)...(size - 1)) : .unsatisfiable
        default: return nil
        }
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) } ? Int(text) : nil
    }
}
