internal import AsyncHTTPClient
internal import NIOCore
internal import NIOHTTP1
import SiteFormat

// Assets: from the server into the store, continued where an earlier attempt ended.
extension Fetcher {
    /// Fetches an asset into the store. Returns when it is in place, verified and flushed.
    ///
    /// What is there of it already is kept and the rest is asked for with `Range` (RFC 9110, 14.2), on condition
    /// that the file is still the same (`If-Range`, 13.1.5) where its strong ETag is known. Without one the hash
    /// alone decides: if the whole is wrong, it is fetched once more from the beginning.
    ///
    /// - Parameters:
    ///   - received: called with the bytes that are there so far; a new start begins again at a lower number.
    ///   - transferred: called with the bytes that have come over the network, piece by piece.
    ///   - verified: called when everything has come and is right; only the disk is waited for then.
    func asset(
        _ asset: ManifestAsset, into writer: StoreWriter, received: @escaping @Sendable (Int64) async -> Void,
        transferred: @escaping @Sendable (Int) -> Void, verified: @escaping @Sendable () async -> Void
    ) async throws(ContentError) {
        let url = settings.base.url(of: asset.sha256)
        try await repeating { () throws(ContentError) in
            try await limited(settings.assetTimeout, url) {
                // It may have come into place between the check and its turn.
                if writer.store.has(asset) { return }
                if asset.bytes <= Self.smallAsset, !writer.hasPartial(asset) {
                    let bytes = try await small(
                        asset, url: url, received: received, transferred: transferred)
                    return try await writer.add(asset, bytes, verified: verified)
                }
                while true {
                    let start = try await writer.begin(asset)
                    await received(start.offset)
                    let isThere: Bool
                    do {
                        if start.offset < asset.bytes || asset.bytes == 0 {
                            try await transfer(
                                asset, start, into: writer, url: url, received: received, transferred: transferred)
                        }
                        isThere = try await writer.finish(start.id, verified: verified)
                    } catch let error as ContentError where !error.isTransient && error.code != .diskFull {
                        await writer.discard(start.id)
                        throw error
                    } catch {
                        await writer.pause(start.id)
                        throw error
                    }
                    // Bytes of an earlier attempt were wrong: they are gone now, and the next start is at 0.
                    if isThere { return }
                }
            }
        }
    }

    /// Smaller ones are not worth being continued: they are kept in memory until they are whole.
    private static let smallAsset: Int64 = 16384

    private func small(
        _ asset: ManifestAsset, url: String, received: @Sendable (Int64) async -> Void,
        transferred: @Sendable (Int) -> Void
    ) async throws -> ByteBuffer {
        let response = try await send(url, ["Accept-Encoding": "identity"])
        guard response.status == .ok else {
            if response.status == .notFound || response.status == .gone { await drain(response) }
            throw refusal(response, url)
        }
        try checkLength(response.contentLength, of: asset, url)
        var bytes = ByteBuffer()
        var pace = Pace(self, url)
        for try await buffer in response.body {
            transferred(buffer.readableBytes)
            try pace.received(buffer.readableBytes)
            defer { pace.wait() }
            guard bytes.readableBytes + buffer.readableBytes <= asset.bytes else {
                throw ContentError.longerThanPromised(asset)
            }
            if bytes.readableBytes == 0 { bytes = buffer } else { bytes.writeImmutableBuffer(buffer) }
            if bytes.readableBytes < asset.bytes { await received(Int64(bytes.readableBytes)) }
        }
        try checkEnd(Int64(bytes.readableBytes), promised: response.contentLength, of: asset, url)
        return bytes
    }

    /// The length that a server promises is held against the manifest before a byte is read.
    private func checkLength(_ promised: Int64?, of asset: ManifestAsset, _ url: String) throws(ContentError) {
        guard let promised, promised > asset.bytes else { return }
        throw ContentError(
            code: .tooLarge, place: url,
            cause: "it has \(promised) bytes on the server, the manifest promises \(asset.bytes)",
            remedy: "correct the size in the manifest, or the file on the server")
    }

    /// Without a length, the end of the connection is all that tells the end of the body.
    private func checkEnd(
        _ count: Int64, promised: Int64?, of asset: ManifestAsset, _ url: String
    ) throws(ContentError) {
        guard count < asset.bytes, promised != count else { return }
        throw ContentError(
            code: .connection, place: url, cause: "the connection ended after \(count) of \(asset.bytes) bytes",
            remedy: "check the network and the server")
    }

    private func transfer(
        _ asset: ManifestAsset, _ start: StoreWriter.Start, into writer: StoreWriter, url: String,
        received: @Sendable (Int64) async -> Void, transferred: @Sendable (Int) -> Void
    ) async throws {
        var offset = start.offset
        // The hash and the ranges are about the bytes as they are.
        var headers: HTTPHeaders = ["Accept-Encoding": "identity"]
        let whole = headers
        if offset > 0 {
            headers.add(name: "Range", value: "bytes=\(offset)-")
            if let etag = start.etag { headers.add(name: "If-Range", value: etag) }
        }
        var response = try await send(url, headers)
        if offset > 0, response.status == .rangeNotSatisfiable
            || response.status == .partialContent && !isRest(response, offset: offset, of: asset) {
            await drain(response)
            response = try await send(url, whole)
        }
        switch response.status {
        case .partialContent where offset > 0:
            break
        case .ok:
            if offset > 0 { try await writer.restart(start.id) }
            offset = 0
            await writer.note(start.id, etag: response.strongETag)
        default:
            if response.status == .notFound || response.status == .gone { await drain(response) }
            throw refusal(response, url)
        }
        let promised = response.contentLength.map { $0.addingClamped(offset) }
        try checkLength(promised, of: asset, url)
        var count = offset
        await received(count)
        var pace = Pace(self, url)
        for try await buffer in response.body {
            transferred(buffer.readableBytes)
            try pace.received(buffer.readableBytes)
            defer { pace.wait() }
            try await writer.append(start.id, buffer)
            count += Int64(buffer.readableBytes)
            await received(count)
        }
        try checkEnd(count, promised: promised, of: asset, url)
    }

    /// A part must be the one that was asked for (RFC 9110, 14.4): bytes in the wrong place would spoil the rest.
    private func isRest(_ response: HTTPClientResponse, offset: Int64, of asset: ManifestAsset) -> Bool {
        guard let range = ContentRange(response.headers.first(name: "content-range") ?? "") else { return false }
        return range.first == offset && range.last < asset.bytes
            && (range.total == nil || range.total == asset.bytes)
    }
}

/// Holds a body's throughput against the least that is waited for.
private struct Pace {
    private var throughput: Throughput
    private var waitsSince: Duration
    private let time: ContentTime
    private let url: String
    private let least: Int64

    init(_ fetcher: Fetcher, _ url: String) {
        throughput = Throughput(least: fetcher.settings.leastThroughput, window: fetcher.settings.throughputWindow)
        least = fetcher.settings.leastThroughput
        time = fetcher.time
        waitsSince = time.elapsed()
        self.url = url
    }

    /// The network is waited for from now on.
    mutating func wait() {
        waitsSince = time.elapsed()
    }

    mutating func received(_ count: Int) throws(ContentError) {
        guard let rate = throughput.received(count, after: time.elapsed() - waitsSince) else { return }
        throw ContentError(
            code: .slow, place: url, cause: "it comes with \(rate) bytes a second, at least \(least) are waited for",
            remedy: "check the server and the network; what has come is kept, and the rest asked for later")
    }
}

/// The `Content-Range` of a part (RFC 9110, 14.4): `bytes 100-199/1000`, with `*` for an unknown total.
package struct ContentRange: Hashable, Sendable {
    package var first: Int64
    package var last: Int64
    package var total: Int64?

    package init?(_ text: String) {
        let words = text.split(separator: " ", maxSplits: 1)
        guard words.count == 2, words[0].lowercased() == "bytes" else { return nil }
        let parts = words[1].split(separator: "/", omittingEmptySubsequences: false)
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, ends.count == 2, let first = Int64(ends[0]), let last = Int64(ends[1]),
            first >= 0, last >= first
        else { return nil }
        if parts[1] != "*" {
            guard let total = Int64(parts[1]), total > last else { return nil }
            self.total = total
        }
        self.first = first
        self.last = last
    }
}

extension HTTPClientResponse {
    /// The ETag, if it stands for exact bytes and can be sent back. A weak one must not go into If-Range.
    fileprivate var strongETag: String? {
        guard let etag = headers.first(name: "etag"), etag.hasPrefix("\""), etag.utf8.count <= 1024,
            etag.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
        else { return nil }
        return etag
    }
}
