import Beacon
import Foundation
import HCI
import Listening
import Radio
import Synchronization
import TestSupport
import Testing

@Suite("A capture that is replayed", .timeLimit(.minutes(10)))
struct CaptureReplayTests {
    @Test("a table of several scanners is several receivers")
    func scanners() async throws {
        let path = try temporaryFolder("replay") + "/walk.csv"
        var table = "time,scanner,uuid,major,minor,measured_power,rssi\n"
        for (scanner, rssi) in [("attic", -50), ("cellar", -90), ("attic", -51)] {
            table += "1700000000,\(scanner),636f3f8f-6491-4bee-95f7-d8cc64a863b5,1,1,-59,\(rssi)\n"
        }
        try table.write(toFile: path, atomically: true, encoding: .utf8)
        let (receivers, feed) = (Receivers(), SightingFeed())
        let id = receivers.id(ofSource: "file:\(path)")
        let source = try SourceSpec("file:\(path)").makeSource(id, receivers: receivers)
        let reported = Mutex<[String]>([])
        try await source.listen(
            into: feed,
            ListeningHandlers { hearing in
                reported.withLock { $0.append("\(hearing)") }
            } started: { how in
                reported.withLock { $0.append(how) }
            })
        let heard = try #require(feed.takeWaiting())
        #expect(heard.map { receivers.names[$0.source.place] } == ["attic", "cellar", "attic"])
        #expect(heard.map(\.rssi) == [-50, -90, -51])
        #expect(reported.withLock { $0 } == ["a capture, at its own pace", "ok"])
        #expect(source.tally.counts.iBeacons == 3)
    }

    @Test("ends when it is cancelled while a pipe has nothing more to say")
    func silentPipe() async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("pipe")
        try #require(mkfifo(path, 0o600) == 0)
        // Both ends, so that opening it does not wait, and it does not end.
        let pipe = open(path, O_RDWR | O_CLOEXEC)
        try #require(pipe >= 0)
        defer { close(pipe) }
        let table = "time,uuid,major,minor,measured_power,rssi\n"
            + "1700000000,636f3f8f-6491-4bee-95f7-d8cc64a863b5,1,1,-59,-50\n"
        try #require(write(pipe, table, table.utf8.count) == table.utf8.count)
        let feed = SightingFeed()
        let source = try SourceSpec("file:\(path)").makeSource(SourceID(place: 0))
        let listening = Task { try await source.listen(into: feed, ListeningHandlers()) }
        try await waitUntil("the row is counted") { source.tally.counts.iBeacons == 1 }
        listening.cancel()
        try await listening.value
        #expect(feed.takeWaiting()?.map(\.rssi) == [-50])
    }

    /// A legacy report of one iBeacon.
    private static let report: [UInt8] = [
        4, 0x3E, 0x2A, 2, 1, 3, 1, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 0x1E,
        0x02, 0x01, 0x1A, 0x1A, 0xFF, 0x4C, 0x00, 0x02, 0x15,
        0xE2, 0xC5, 0x6D, 0xB5, 0xDF, 0xFB, 0x48, 0xD2, 0xB0, 0x60, 0xD0, 0xF5, 0xA7, 0x10, 0x96, 0xE0,
        0x00, 0x01, 0x00, 0x02, 0xC5, 0xC4,
    ]

    @Test("a capture of several adapters is several receivers, one of a single adapter is one", arguments: [1, 2])
    func adapters(count: Int) async throws {
        let path = try temporaryFolder("replay") + "/walk.btsnoop"
        let recorder = try PacketRecorder(path: path, isOfSeveral: true)
        let time = Timestamp(seconds: 1_700_000_000)
        let quiet: [UInt8] = [4, 0x0E, 1, 0]
        recorder.record(quiet.span.bytes, fromController: true, at: time, adapter: 5)
        let report = Self.report
        let adapters: [UInt16] = count == 1 ? [4, 4, 4] : [4, 2, 4]
        for adapter in adapters {
            recorder.record(report.span.bytes, fromController: true, at: time, adapter: adapter)
        }
        try recorder.finish()
        let (receivers, feed) = (Receivers(), SightingFeed())
        let file = "file:\(path)"
        let source = try SourceSpec(file).makeSource(receivers.id(ofSource: file), receivers: receivers)
        try await source.listen(into: feed, ListeningHandlers())
        let heard = try #require(feed.takeWaiting())
        let names = heard.map { receivers.names[$0.source.place] }
        #expect(names == (count == 1 ? [file, file, file] : ["hci4", "hci2", "hci4"]))
        #expect(receivers.severalNames == (count == 1 ? nil : ["hci4", "hci2"]))
        // A source that is read again keeps its receivers, and their IDs.
        try await source.listen(into: feed, ListeningHandlers())
        #expect(feed.takeWaiting()?.map(\.source) == heard.map(\.source))
        #expect(receivers.count == count)
    }

    @Test("a recording of captures keeps their adapters, and tells those of one from those of another")
    func recordedAgain() throws {
        let folder = try TemporaryFolder()
        let report = Self.report
        for (name, adapters) in [("first", [4, 2]), ("second", [2, 2])] as [(String, [UInt16])] {
            let recorder = try PacketRecorder(path: folder.path(name), isOfSeveral: true)
            for adapter in adapters {
                recorder.record(report.span.bytes, fromController: true, at: Timestamp(seconds: 1), adapter: adapter)
            }
            try recorder.finish()
        }
        let again = try PacketRecorder(path: folder.path("again"))
        for (name, place) in [("first", 0), ("second", 1)] {
            let spec = try SourceSpec("file:\(folder.path(name))")
            var capture = try CaptureSource(
                spec, path: folder.path(name), source: SourceID(place: place), recorder: again)
            while try capture.next({ _ in }) {}
        }
        try again.finish()
        let receivers = Receivers()
        let id = receivers.id(ofSource: "again")
        var capture = try CaptureSource(
            try SourceSpec("file:\(folder.path("again"))"), path: folder.path("again"), source: id,
            receivers: receivers)
        var heard: [SourceID] = []
        while try capture.next({ heard.append($0.source) }) {}
        #expect(heard.map { receivers.names[$0.place] } == ["hci4", "hci2", "hci0", "hci0"])
    }

    /// An extended report of one piece of a payload. Core Specification Vol 4, Part E, 7.7.65.13.
    private static func piece(_ data: [UInt8], isLast: Bool) -> [UInt8] {
        let head: [UInt8] = [isLast ? 0 : 0x20, 0, 1, 0x66, 0x55, 0x44, 0x33, 0x22, 0x11, 1, 0, 1, 0x7F, 0xC4, 0, 0, 0]
        let report = head + [UInt8](repeating: 0, count: 6) + [UInt8(data.count)] + data
        return [4, 0x3E, UInt8(report.count + 2), 0x0D, 1] + report
    }

    @Test("the pieces of a payload that several adapters received are joined for each of them")
    func pieces() throws {
        let folder = try TemporaryFolder()
        let recorder = try PacketRecorder(path: folder.path("pieces"), isOfSeveral: true)
        let payload = Self.report[14..<44]
        let (begin, end) = (Array(payload.prefix(20)), Array(payload.dropFirst(20)))
        for packet in [Self.piece(begin, isLast: false), Self.piece(end, isLast: true)] {
            for adapter in [0, 1] as [UInt16] {
                recorder.record(packet.span.bytes, fromController: true, at: Timestamp(seconds: 1), adapter: adapter)
            }
        }
        try recorder.finish()
        let spec = try SourceSpec("file:\(folder.path("pieces"))")
        var capture = try CaptureSource(spec, path: folder.path("pieces"), source: 0)
        var heard: [String] = []
        while try capture.next({ heard.append($0.beacon.id.description) }) {}
        let beacon = "e2c56db5-dffb-48d2-b060-d0f5a71096e0/1/2"
        #expect(heard == [beacon, beacon])
        #expect(capture.counts.malformed == 0)
    }

    @Test("lines of a text around its packets are not counted as packets")
    func strayLines() throws {
        let path = try temporaryFolder("replay") + "/walk.txt"
        let packet = "> 04 0E 04 01 03 0C 00\n"
        let head = "HCI sniffer - Bluetooth packet analyzer ver 5.66\ndevice: hci0 snap_len: 1500\n"
        try (head + packet + "// a note\n" + packet).write(toFile: path, atomically: true, encoding: .utf8)
        var capture = try CaptureSource(try SourceSpec("file:\(path)"), path: path, source: 0)
        while try capture.next({ _ in }) {}
        #expect(capture.counts.packets == 2 && capture.counts.malformed == 0)
    }

    @Test("a recording of several sources numbers them, an adapter as the kernel does")
    func numbers() throws {
        let specs = try ["sim", "hci1", "h4:unix:/tmp/x", "hci0", "hci1:user"].map { try SourceSpec($0) }
        #expect(SourceSpec.recordedAdapters(of: specs) == [2, 1, 3, 0, 4])
    }
}
