import Crypto
import Glibc
import Platform
import SiteFormat

/// The kept parts of a file: ranges of it, with new octets between them. Everything else is left out.
struct KeptParts: Hashable, Sendable {
    enum Part: Hashable, Sendable {
        case range(Range<Int64>)
        case octets([UInt8])
        case zeros(Int64)
    }

    private(set) var parts: [Part] = []

    /// More parts than any real file has.
    private static let mostParts = 200_000

    mutating func keep(_ range: Range<Int64>) throws(MediaError) {
        if case .range(let last) = parts.last, last.upperBound == range.lowerBound {
            parts[parts.count - 1] = .range(last.lowerBound..<range.upperBound)
        } else {
            try add(.range(range))
        }
    }

    mutating func add(_ part: Part) throws(MediaError) {
        guard parts.count < Self.mostParts else { throw MediaError(damaged: "it has too many parts") }
        parts.append(part)
    }

    /// Replaces the part at this index.
    mutating func replace(_ index: Int, with octets: [UInt8]) {
        parts[index] = .octets(octets)
    }

    /// Whether the whole file is kept unchanged.
    func isAll(of count: Int64) -> Bool { parts == [.range(0..<count)] }

    /// The total number of octets of all parts.
    var count: Int64 {
        parts.reduce(0) { sum, part in
            switch part {
            case .range(let range): sum + Int64(range.count)
            case .octets(let octets): sum + Int64(octets.count)
            case .zeros(let count): sum + count
            }
        }
    }

    /// Writes the parts to a new file. Blocks its thread.
    func copy(_ source: ReceivedFile, in folder: MediaFolder) throws(MediaError) -> ReceivedFile {
        guard !isAll(of: source.count) else { return source }
        let target = try WorkFile(in: folder)
        var writer = Writer(target: target)
        for part in parts {
            switch part {
            case .octets(let octets): try writer.write(octets)
            case .zeros(var count):
                while count > 0 {
                    try writer.write([UInt8](repeating: 0, count: Int(min(count, 1 << 16))))
                    count -= 1 << 16
                }
            case .range(let range):
                var offset = range.lowerBound
                while offset < range.upperBound {
                    var chunk = [UInt8](repeating: 0, count: Int(min(1 << 16, range.upperBound - offset)))
                    let count = pread(source.work.descriptor.number, &chunk, chunk.count, off_t(offset))
                    guard count > 0 else { throw MediaError(SystemFailure(), path: source.work.path) }
                    try writer.write(count == chunk.count ? chunk : Array(chunk[..<count]))
                    offset += Int64(count)
                }
            }
        }
        return ReceivedFile(target, count: writer.count, hash: AssetHash(sha256: writer.hash.finalize()))
    }

    private struct Writer {
        let target: WorkFile
        var hash = SHA256()
        var count: Int64 = 0

        mutating func write(_ octets: [UInt8]) throws(MediaError) {
            do throws(SystemFailure) {
                try AtomicFile.write(octets, to: target.descriptor.number)
            } catch {
                throw MediaError(error, path: target.path)
            }
            hash.update(data: octets)
            count += Int64(octets.count)
        }
    }
}
