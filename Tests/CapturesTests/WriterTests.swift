import Beacon
import Captures
import Foundation
import TestSupport
import Testing

@Suite struct WriterTests {
    private func temporaryPath() -> String {
        NSTemporaryDirectory() + "captures-\(UUID().uuidString)"
    }

    private func contents(of path: String) throws -> [UInt8] {
        let file = try #require(fopen(path, "rb"))
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes[..<count])
    }

    @Test("the bytes are those of the format")
    func theBytesAreThoseOfTheFormat() throws {
        let path = temporaryPath()
        defer { unlink(path) }
        var writer = try BtsnoopWriter(path: path)
        let time = Timestamp(microseconds: 1_767_225_600_000_000)
        try writer.write(([1] + Sample.command).span.bytes, fromController: false, at: time)
        writer.cumulativeDrops = 3
        try writer.write(([4] + Sample.event).span.bytes, fromController: true, at: time)
        try writer.write(([2, 1, 0, 0, 0] as [UInt8]).span.bytes, fromController: true, at: time)
        try writer.finish()
        var expected = Btsnoop.head(datalink: 1002)
        expected.add(Btsnoop.record([1] + Sample.command, flags: 2))
        var event = Btsnoop.record([4] + Sample.event, flags: 3)
        event[15] = 3
        expected.add(event)
        var data = Btsnoop.record([2, 1, 0, 0, 0], flags: 1)
        data[15] = 3
        expected.add(data)
        #expect(try contents(of: path) == expected.bytes)
    }

    @Test("packets of several adapters are a monitor's, and are read back with their adapters")
    func severalAdapters() throws {
        let path = temporaryPath()
        defer { unlink(path) }
        var writer = try BtsnoopWriter(path: path, isMonitor: true)
        let time = Timestamp(microseconds: 1_767_225_600_000_000)
        for type: UInt8 in [1, 2, 3, 4, 5, 9] {
            for fromController in [false, true] {
                try writer.write([type, 7, 8].span.bytes, fromController: fromController, at: time, adapter: 3)
            }
        }
        try writer.write(([4] + Sample.event).span.bytes, fromController: true, at: time, adapter: 0)
        try writer.finish()
        let outcome = read(try CaptureReader(path: path))
        #expect(outcome.format == "btsnoop, Linux Bluetooth monitor (2001)")
        let sent = ["hci 1 >", "hci 1 >", "hci 2 >", "hci 2 <", "hci 3 >", "hci 3 <", "hci 4 <", "hci 4 <"]
        #expect(outcome.contents == sent + ["hci 5 >", "hci 5 <", "hci 4 <"])
        #expect(outcome.records.map(\.adapter) == [UInt16](repeating: 3, count: 10) + [0])
        #expect(outcome.records.first?.bytes == [7, 8] && outcome.records.last?.bytes == Sample.event)
    }

    @Test("adapters can be kept as long as nothing was written")
    func keepsAdapters() throws {
        let path = temporaryPath()
        defer { unlink(path) }
        var writer = try BtsnoopWriter(path: path)
        let isKept = writer.keepAdapters()
        try writer.write(([4] + Sample.event).span.bytes, fromController: true, at: Timestamp(seconds: 1), adapter: 7)
        let isStillKept = writer.keepAdapters()
        try writer.finish()
        let outcome = read(try CaptureReader(path: path))
        #expect(isKept && isStillKept && outcome.records.map(\.adapter) == [7])
        var late = try BtsnoopWriter(path: path)
        try late.write(([4] + Sample.event).span.bytes, fromController: true, at: Timestamp(seconds: 1), adapter: 7)
        let isKeptLate = late.keepAdapters()
        try late.finish()
        let other = read(try CaptureReader(path: path))
        #expect(!isKeptLate && other.format == "btsnoop, HCI H4 (1002)")
    }

    @Test("what is written is read back")
    func whatIsWrittenIsReadBack() throws {
        let path = temporaryPath()
        defer { unlink(path) }
        var random = SeededGenerator(seed: 7)
        var expected: [Observed] = []
        var writer = try BtsnoopWriter(path: path)
        var offset: UInt64 = 16
        for index in 0..<3000 {
            let type = UInt8.random(in: 1...5, using: &random)
            let isLong = index % 500 == 0
            let packet = (0..<Int.random(in: 1...(isLong ? 65_000 : 260), using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            let isReceived = Bool.random(using: &random)
            let time = Timestamp(microseconds: Int64.random(in: -1_000_000...4_000_000_000_000_000, using: &random))
            try writer.write(([type] + packet).span.bytes, fromController: isReceived, at: time)
            expected.append(
                Observed(
                    time: time, adapter: 0, offset: offset, line: 0, content: "hci \(type) \(isReceived ? "<" : ">")",
                    bytes: packet))
            offset += UInt64(25 + packet.count)
        }
        try writer.finish()
        let outcome = read(try CaptureReader(path: path))
        #expect(outcome.error == nil)
        #expect(outcome.records == expected)
    }

    @Test("flush makes records visible")
    func flushMakesRecordsVisible() throws {
        let path = temporaryPath()
        defer { unlink(path) }
        var writer = try BtsnoopWriter(path: path)
        try writer.write(([4, 1, 0] as [UInt8]).span.bytes, fromController: true, at: Timestamp(microseconds: 0))
        #expect(try contents(of: path) == [])
        try writer.flush()
        #expect(try contents(of: path).count == 16 + 24 + 3)
        try writer.finish()
    }

    @Test("a writer that goes out of scope writes what it holds")
    func aWriterThatGoesOutOfScopeWritesWhatItHolds() throws {
        let path = temporaryPath()
        defer { unlink(path) }
        func write() throws {
            var writer = try BtsnoopWriter(path: path)
            try writer.write(([4, 1, 0] as [UInt8]).span.bytes, fromController: true, at: Timestamp(microseconds: 0))
        }
        try write()
        #expect(read(try CaptureReader(path: path)).contents == ["hci 4 <"])
    }

    @Test("a full disk is an error and counts what was dropped")
    func aFullDiskIsAnErrorAndCountsWhatWasDropped() throws {
        var writer = try BtsnoopWriter(path: "/dev/full")
        let packet = [UInt8](repeating: 2, count: 1000)
        var failures = 0
        for _ in 0..<200 {
            do {
                try writer.write(packet.span.bytes, fromController: true, at: Timestamp(microseconds: 0))
            } catch {
                failures += 1
                #expect(error.description == "/dev/full: cannot write it: No space left on device")
            }
        }
        #expect(failures > 100)
        #expect(writer.cumulativeDrops == UInt32(failures))
        #expect(throws: CaptureError.self) { try writer.finish() }
    }

    @Test("a place that cannot be written says why")
    func aPlaceThatCannotBeWrittenSaysWhy() {
        #expect(throws: CaptureError.self) { _ = try BtsnoopWriter(path: "/nonexistent/file") }
    }
}
