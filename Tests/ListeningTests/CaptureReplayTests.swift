import Beacon
import Foundation
import HCI
import Listening
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
}
