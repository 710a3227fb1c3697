import CZlib

/// The gzip format (RFC 1952).
enum Gzip {
    /// - Returns: the compressed octets; nil if zlib has no memory, or the result would not be smaller.
    static func compress(_ octets: [UInt8]) -> [UInt8]? {
        var stream = z_stream()
        guard beacond_gzip_init(&stream) == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        var input = octets
        var output = [UInt8](repeating: 0, count: octets.count)
        let isWhole = input.withUnsafeMutableBufferPointer { input in
            output.withUnsafeMutableBufferPointer { output in
                stream.next_in = input.baseAddress
                stream.avail_in = UInt32(clamping: input.count)
                stream.next_out = output.baseAddress
                stream.avail_out = UInt32(clamping: output.count)
                return deflate(&stream, Z_FINISH) == Z_STREAM_END
            }
        }
        // A result that does not fit is not smaller.
        return isWhole ? Array(output.prefix(Int(stream.total_out))) : nil
    }
}
