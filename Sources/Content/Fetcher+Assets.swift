internal import AsyncHTTPClient
internal import Beacon
internal import NIOCore
internal import NIOHTTP1
import SiteFormat

// Fetches assets from the server into the store, and continues earlier attempts.
extension Fetcher {
    /// Fetches an asset into the store. Returns when it is verified, flushed and in place.
    ///
    /// The bytes that are stored already are kept, and the rest is requested with `Range` (RFC 9110, 14.2). If the
    /// file's strong ETag is known, the request has the condition that the file is still the same (`If-Range`, 13.1.5).
    /// Without an ETag, only the hash decides: if the whole is wrong, it is fetched once more from the beginning.
    ///
    /// - Parameters:
    ///   - received: called with the number of bytes stored so far. After a restart it begins at a lower number.
    ///   - transferred: called with the number of bytes in each chunk that came over the network.
    ///   - verified: called when everything was received and is right. After that, only the disk has work to do.
    func asset(
        _ asset: ManifestAsset, into writer: StoreWriter, received: @escaping @Sendable (Int64) async -> Void,
        transferred: @escaping @Sendable (Int) -> Void, verified: @escaping @Sendable () async -> Void
    ) async throws(ContentError) {
        let url = settings.base.url(of: asset.sha256)
        try await repeating { () throws(ContentError) in
            try await limited(settings.assetTimeout, url) {
                // Another transfer may have fetched it between the check and this one's turn.
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
                    // Bytes of an earlier attempt were wrong. They are removed now, and the next attempt starts at 0.
                    if isThere { return }
                }
            }
        }
    }

    /// In bytes. Smaller assets are not worth continuing: they are kept in memory until they are complete.
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

    /// Compares the length that the server announces with the manifest, before a byte is read.
    private func checkLength(_ promised: Int64?, of asset: ManifestAsset, _ url: String) throws(ContentError) {
        guard let promised, promised > asset.bytes else { return }
        throw ContentError(
            code: .tooLarge, place: url,
            cause: "it has \(promised) bytes on the server, the manifest promises \(asset.bytes)",
            remedy: "correct the size in the manifest, or the file on the server")
    }

    /// Without a length, only the end of the connection shows the end of the body.
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
        // The hash and the ranges apply to the uncompressed bytes.
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

    /// Whether a partial response is the requested part (RFC 9110, 14.4). Bytes in the wrong place would spoil the
    /// rest.
    private func isRest(_ response: HTTPClientResponse, offset: Int64, of asset: ManifestAsset) -> Bool {
        guard let range = ContentRange(response.headers.first(name: "content-range") ?? "") else { return false }
        return range.first == offset && range.last < asset.bytes
            && (range.total == nil || range.total == asset.bytes)
    }
}

/// Checks that the throughput of a body does not fall below the minimum.
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

    /// The wait for the network starts now.
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

/// The `Content-Range` of a partial response (RFC 9110, 14.4): `bytes 100-199/1000`, with `*` for an unknown total.
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
    /// The ETag, if it is strong and can be sent back. A weak one must not be used in `If-Range`.
    fileprivate var strongETag: String? {
        guard let etag = headers.first(name: "etag"), etag.hasPrefix("\""), etag.utf8.count <= 1024,
            etag.utf8.allSatisfy({ (0x20..<0x7F).contains($0) })
        else { return nil }
        return etag
    }
}
