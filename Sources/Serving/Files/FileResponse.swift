package import HTTPTypes
package import HummingbirdCore
import NIOCore

/// A file, or the requested part of it (RFC 9110, section 14). If several parts are requested, the whole file is sent.
package enum FileResponse {
    package static func make(
        _ path: String, _ headers: HTTPFields, _ request: Request, _ transfers: FileTransfers, to client: Client,
        realm: String
    ) async throws -> Response {
        let file = try await transfers.opened(path)
        var headers = headers
        headers[.acceptRanges] = "bytes"
        guard let asked = request.headers[.range], isCurrent(request, headers),
            let part = ByteRange(asked, of: file.size)
        else {
            guard file.size > 0 else { return Response(status: .ok, headers: headers) }
            return response(.ok, headers, file, 0...(file.size - 1), transfers, client)
        }
        guard case .part(let range) = part else {
            var failure = Refusal(416, "the file has \(file.size) octets", whatToDo: "ask for a part of these")
                .response(realm: realm)
            failure.headers[.contentRange] = "bytes */\(file.size)"
            return failure
        }
        headers[.contentRange] = "bytes \(range.lowerBound)-\(range.upperBound)/\(file.size)"
        return response(.partialContent, headers, file, range, transfers, client)
    }

    private static func response(
        _ status: HTTPResponse.Status, _ headers: HTTPFields, _ file: FileTransfers.OpenFile, _ range: ClosedRange<Int>,
        _ transfers: FileTransfers, _ client: Client
    ) -> Response {
        Response(
            status: status, headers: headers,
            body: .init(contentLength: range.count) { writer in
                try await transfers.send(file, range, to: client) { try await writer.write($0) }
                try await writer.finish(nil)
            })
    }

    /// RFC 9110, section 13.1.5: a part of another version is useless.
    private static func isCurrent(_ request: Request, _ headers: HTTPFields) -> Bool {
        request.headers[.ifRange].map { $0 == headers[.eTag] } ?? true
    }
}

/// A `Range` field.
package enum ByteRange: Equatable {
    case part(ClosedRange<Int>)
    case unsatisfiable

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
