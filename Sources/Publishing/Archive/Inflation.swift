import CZlib

/// Decompresses the raw deflate data of a ZIP entry (RFC 1951), in chunks of at most 64 KiB.
struct Inflation: ~Copyable {
    /// On the heap, because zlib refuses a stream whose address has changed.
    private let stream: UnsafeMutablePointer<z_stream>
    private let isReady: Bool
    /// The end of the data was reached.
    private(set) var isComplete = false

    init() {
        stream = .allocate(capacity: 1)
        stream.initialize(to: z_stream())
        isReady = beacond_zip_inflate_init(stream) == Z_OK
    }

    deinit {
        if isReady { inflateEnd(stream) }
        stream.deallocate()
    }

    /// - Returns: false if this is not valid deflate data.
    mutating func add(_ bytes: [UInt8], _ body: ([UInt8]) throws -> Void) throws -> Bool {
        guard isReady, !isComplete else { return false }
        var input = bytes
        var rest = input.count
        while true {
            var status = Z_OK
            let start = input.count - rest
            let output = [UInt8](unsafeUninitializedCapacity: 65_536) { buffer, used in
                input.withUnsafeMutableBufferPointer { source in
                    stream.pointee.next_in = source.baseAddress?.advanced(by: start)
                    stream.pointee.avail_in = UInt32(rest)
                    stream.pointee.next_out = buffer.baseAddress
                    stream.pointee.avail_out = UInt32(buffer.count)
                    status = inflate(stream, Z_NO_FLUSH)
                    rest = Int(stream.pointee.avail_in)
                    used = buffer.count - Int(stream.pointee.avail_out)
                }
            }
            guard status == Z_OK || status == Z_STREAM_END || status == Z_BUF_ERROR else { return false }
            if !output.isEmpty { try body(output) }
            if status == Z_STREAM_END {
                isComplete = true
                return rest == 0
            }
            if rest == 0, output.count < 65_536 { return true }
            if output.isEmpty { return false }
        }
    }
}
