import Foundation
import Publishing
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct ZIPTests {
    private let folder: TemporaryFolder
    private var path: String { folder.path("archive.zip") }

    init() throws {
        folder = try TemporaryFolder()
    }

    private func write(_ entries: [(name: String, source: ZIPWriter.Source)]) throws -> [UInt8] {
        var writer = try ZIPWriter(entries)
        var bytes: [UInt8] = []
        while let portion = try writer.next() { bytes += portion }
        try save(bytes)
        return bytes
    }

    private func save(_ bytes: [UInt8]) throws {
        try Data(bytes).write(to: URL(fileURLWithPath: path))
    }

    private func contents() throws -> [String: [UInt8]] {
        let reader = try ZIPReader(path)
        return try reader.entries.mapValues { entry in
            var bytes: [UInt8] = []
            try reader.read(entry) { bytes += $0 }
            return bytes
        }
    }

    private func refusal(_ bytes: [UInt8]) throws -> PublishingError {
        try save(bytes)
        return try #require(throws: PublishingError.self) { try contents() }
    }

    @Test("what is written is read back: small, empty, and large entries from files")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 1)
        let large = generator.octets(200_001)
        try Data(large).write(to: URL(fileURLWithPath: folder.path("large")))
        _ = try write([
            ("a.txt", .bytes([1, 2, 3])), ("empty", .bytes([])),
            ("folder/whale \u{1F40B}.bin".replacing(" ", with: "-"), .file(folder.path("large"))),
        ])
        #expect(try contents() == ["a.txt": [1, 2, 3], "empty": [], "folder/whale-\u{1F40B}.bin": large])
    }

    @Test("equal entries give equal archives")
    func deterministic() throws {
        #expect(try write([("a", .bytes([1]))]) == write([("a", .bytes([1]))]))
    }

    @Test(
        "other programs read our archives, and we read theirs, packed ones too",
        .enabled(
            if: Programs.installed("unzip") != nil && Programs.installed("zip") != nil, "zip or unzip is not installed")
    )
    func otherPrograms() async throws {
        _ = try write([("v1/site.json", .bytes(Array("{}".utf8))), ("v1/assets/x", .bytes([1]))])
        let unzip = try #require(Programs.installed("unzip"))
        let tested = try await RunningProgram.run(unzip, ["-t", path])
        #expect(tested.status == 0, "\(tested.output)")
        let text = String(repeating: "the same words again and again\n", count: 10_000)
        try text.write(toFile: folder.path("words.txt"), atomically: true, encoding: .utf8)
        try FileManager.default.removeItem(atPath: path)
        let zip = try #require(Programs.installed("zip"))
        let packed = try await RunningProgram.run(zip, ["-q", "-j", path, folder.path("words.txt")])
        try #require(packed.status == 0, "\(packed.errors)")
        #expect(try ZIPReader(path).entries["words.txt"].map { Int($0.size) } == text.utf8.count)
        #expect(try contents()["words.txt"] == Array(text.utf8))
    }

    @Test(
        "names that lead out of a folder, or that systems read differently, are refused",
        arguments: [
            "../evil", "/etc/passwd", "a/../../b", "a//b", "./a", "C:evil", "a\\b", "a\u{0}b", "a\nb",
            "../\u{301}evil", "/\u{301}evil", "a/../\u{301}b", "a\u{600}/../b",
        ])
    func slip(name: String) throws {
        let bytes = try write([(name, .bytes([1]))])
        #expect(try refusal(bytes).code == .format)
    }

    @Test("entries of folders are left out, whatever their names end with")
    func folders() throws {
        _ = try write([("a/", .bytes([])), ("b\u{600}/", .bytes([])), ("a/c", .bytes([1]))])
        #expect(try contents() == ["a/c": [1]])
    }

    @Test("two entries with one name, also in other case, are refused")
    func twice() throws {
        #expect(try refusal(write([("a", .bytes([1])), ("A", .bytes([2]))])).problem.contains("two files"))
    }

    @Test("changed bytes are noticed by the checksum", arguments: ["name", "\u{9B}31m"])
    func damaged(name: String) throws {
        var bytes = try write([(name, .bytes([10, 20, 30]))])
        let index = 30 + name.utf8.count + 1
        try #require(bytes[index] == 20)
        bytes[index] ^= 1
        let error = try refusal(bytes)
        #expect(error.code == .format)
        // A name must not control the terminal.
        #expect("\(error)".unicodeScalars.allSatisfy { $0.properties.generalCategory != .control })
    }

    @Test("more than the limits is refused before anything is unpacked")
    func limits() throws {
        _ = try write([("a", .bytes([UInt8](repeating: 0, count: 1000))), ("b", .bytes([1]))])
        var limits = ZIPReader.Limits()
        limits.bytes = 1000
        #expect(throws: PublishingError.self) { try ZIPReader(path, limits: limits) }
        limits.bytes = 1001
        _ = try ZIPReader(path, limits: limits)
        limits.entries = 1
        #expect(throws: PublishingError.self) { try ZIPReader(path, limits: limits) }
        #expect(throws: PublishingError.self) { try ZIPReader(path).bytes("a", atMost: 999) }
    }

    @Test(
        "an entry that unpacks to more than it says is refused after so many bytes",
        .enabled(if: Programs.installed("zip") != nil, "zip is not installed"))
    func bomb() async throws {
        try Data(count: 5_000_000).write(to: URL(fileURLWithPath: folder.path("zeros")))
        let zip = try #require(Programs.installed("zip"))
        let packed = try await RunningProgram.run(zip, ["-q", "-j", path, folder.path("zeros")])
        try #require(packed.status == 0)
        var bytes = Array(try Data(contentsOf: URL(fileURLWithPath: path)))
        // The size in the directory: 24 bytes after the last central header's start.
        let central: [UInt8] = [0x50, 0x4B, 0x01, 0x02]
        let start = try #require((0..<(bytes.count - 4)).last { Array(bytes[$0..<($0 + 4)]) == central })
        bytes.replaceSubrange((start + 24)..<(start + 28), with: [100, 0, 0, 0])
        try save(bytes)
        let reader = try ZIPReader(path)
        let entry = try #require(reader.entries["zeros"])
        var given = 0
        #expect(throws: PublishingError.self) { try reader.read(entry) { given += $0.count } }
        #expect(given <= 100)
    }

    @Test("two entries cannot share bytes")
    func overlap() throws {
        var bytes = try write([("a", .bytes([1, 2, 3])), ("b", .bytes([1, 2, 3]))])
        let second = [UInt8]([34, 0, 0, 0])
        let first = 30 + 1 + 3
        #expect(second[0] == UInt8(first))
        // The second entry's offset is at the end of its fixed fields, before its name.
        let place = bytes.count - 22 - 1 - 4
        bytes.replaceSubrange(place..<(place + 4), with: [0, 0, 0, 0])
        #expect(try refusal(bytes).problem.contains("overlap"))
    }

    @Test("mutated archives are read or refused, and nothing else happens", arguments: 0..<4 as Range<UInt64>)
    func fuzzed(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let whole = try write((0..<4).map { ("file-\($0)", .bytes(generator.octets(50))) })
        var refused = 0
        for _ in 0..<400 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[index] = UInt8.random(in: .min ... .max, using: &generator)
            }
            if Bool.random(using: &generator) {
                bytes.removeLast(Int.random(in: 0..<bytes.count, using: &generator))
            }
            try save(bytes)
            do {
                _ = try contents()
            } catch is PublishingError {
                refused += 1
            }
        }
        #expect(refused > 300)
    }
}
