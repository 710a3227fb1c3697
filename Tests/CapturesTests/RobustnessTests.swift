import Captures
import Foundation
import TestSupport
import Testing

/// Small files of every kind, for tests that treat them all alike.
enum Samples: String, CaseIterable, CustomTestStringConvertible {
    case btsnoop, pcap, pcapng, hcidump, observations
    case monitor, radioHeader, nordic

    var file: BuiltFile {
        switch self {
        case .btsnoop: Btsnoop.sample()
        case .pcap: Pcap.sample()
        case .pcapng: Pcapng.sample()
        case .hcidump: Text.hcidumpSample()
        case .observations: Text.observationSample()
        case .monitor: Pcap.file(linkType: 254, [[0, 0, 0, 3] + Sample.event, [0, 0, 0, 2] + Sample.command])
        case .radioHeader:
            Pcap.file(
                linkType: 256,
                [
                    [39, 0xC3, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 3, 0] + Frame.legacy(2),
                    [39, 0xC3, 0, 0, 0xD6, 0xBE, 0x89, 0x8E, 3, 0x0C]
                        + Frame.extended(mode: 0, flags: 0x09, fields: Frame.address + [1, 0x10]),
                ])
        case .nordic:
            Pcap.file(
                linkType: 272,
                (1...3).map {
                    [0, $0 == 1 ? 6 : 53, $0 == 1 ? 53 : 0, $0, 1, 0, $0 == 3 ? 2 : 6, 10, 1, 37, 61, 0, 0, 0, 0, 0, 0]
                        + Frame.legacy(2)
                })
        }
    }

    var isText: Bool { self == .hcidump || self == .observations }
    var testDescription: String { rawValue }
}

@Suite struct RobustnessTests {
    private func outcome(_ bytes: [UInt8]) throws -> Outcome {
        try withFile(bytes) { path in attempt { () throws(CaptureError) in try CaptureReader(path: path) } }
    }

    @Test("pieces of a pipe give the same as a file", arguments: Samples.allCases)
    func piecesOfAPipeGiveTheSameAsAFile(sample: Samples) throws {
        let bytes = sample.file.bytes
        let whole = try read(bytes)
        #expect(whole.error == nil)
        #expect(whole.records.count == sample.file.ends.count - 1)
        for seed: UInt64 in 1...20 {
            let pieced = try withPieces(bytes.pieces(seed: seed)) { descriptor in
                attempt { () throws(CaptureError) in try CaptureReader(descriptor: descriptor, path: "pipe") }
            }
            #expect(pieced == whole)
        }
    }

    /// At every place: what is whole before it is delivered, and then an error, except where a record ends.
    @Test("what is whole before a cut is delivered, and then there is an error", arguments: Samples.allCases)
    func truncationEverywhere(sample: Samples) throws {
        let file = sample.file
        let whole = try read(file.bytes)
        for cut in 0...file.bytes.count {
            let found = try outcome(Array(file.bytes[..<cut]))
            let complete = file.ends.dropFirst().count { $0 <= cut }
            if sample.isText {
                // A line may be whole without its end, and a number may be cut to another number.
                #expect(found.records.count == complete || found.records.count == complete + 1)
            } else {
                #expect(found.records.count == complete)
                // Behind a section header without interfaces a pcapng file may end, too.
                let isBoundary = file.ends.contains(cut) || sample == .pcapng && cut == Pcapng.section().count
                #expect((found.error == nil) == isBoundary, "cut at \(cut)")
            }
            #expect(found.records.prefix(complete) == whole.records.prefix(complete))
        }
    }

    /// A live pipe delivers a record as soon as it is there, not when the next one comes.
    @Test("a record is delivered when it is there", arguments: [Samples.btsnoop, .pcap, .pcapng, .observations])
    func aRecordIsDeliveredWhenItIsThere(sample: Samples) throws {
        let file = sample.file
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        defer { close(ends[0]) }
        let first = Array(file.bytes[..<file.ends[1]])
        #expect(write(ends[1], first, first.count) == first.count)
        var reader = try CaptureReader(descriptor: ends[0], path: "pipe")
        var count = 0
        #expect(try reader.next { _, _ in count += 1 })
        #expect(count == 1)
        close(ends[1])
        #expect(try reader.next { _, _ in count += 1 } == false)
    }

    @Test("mutations never trap, and reading always ends", arguments: Samples.allCases)
    func mutationsNeverTrapAndAlwaysEnd(sample: Samples) throws {
        let original = sample.file.bytes
        let path = NSTemporaryDirectory() + "captures-\(UUID().uuidString)"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL, 0o600)
        try #require(descriptor >= 0)
        unlink(path)
        defer { close(descriptor) }
        var random = SeededGenerator(seed: 20)
        for iteration in 0..<4000 {
            let bytes = mutated(original, &random)
            try #require(ftruncate(descriptor, 0) == 0)
            try #require(pwrite(descriptor, bytes, bytes.count, 0) == bytes.count)
            lseek(descriptor, 0, SEEK_SET)
            let found = attempt { () throws(CaptureError) in
                try CaptureReader(descriptor: descriptor, path: "mutation \(iteration)")
            }
            // No record without at least an octet of its own.
            #expect(found.records.count <= bytes.count)
        }
    }

    private func mutated(_ original: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = original
        for _ in 0..<Int.random(in: 1...6, using: &random) {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes[place] ^= 1 << UInt8.random(in: 0...7, using: &random)
            case 2: bytes[place] = [0, 0xFF, 0x7F, 0x80, 0x0A, 0x22].randomElement(using: &random) ?? 0
            case 3: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 4 where bytes.count > 1: bytes.remove(at: place)
            default:
                let end = min(bytes.count, place + Int.random(in: 1...40, using: &random))
                bytes.insert(contentsOf: bytes[place..<end], at: Int.random(in: 0...bytes.count, using: &random))
            }
        }
        return bytes
    }
}
