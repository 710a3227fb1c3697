import Beacon
import Daemon
import Foundation
import Listening
import TestSupport
import Testing

@Suite("A capture as a source of the daemon")
struct CaptureReplayTests {
    @Test("a table of several scanners is several receivers")
    func scanners() throws {
        let path = try temporaryFolder("replay") + "/walk.csv"
        var table = "time,scanner,uuid,major,minor,measured_power,rssi\n"
        for (scanner, rssi) in [("attic", -50), ("cellar", -90), ("attic", -51)] {
            table += "1700000000,\(scanner),636f3f8f-6491-4bee-95f7-d8cc64a863b5,1,1,-59,\(rssi)\n"
        }
        try table.write(toFile: path, atomically: true, encoding: .utf8)
        let (receivers, feed) = (Receivers(), SightingFeed())
        let index = receivers.number(ofSource: "file:\(path)")
        try CaptureReplay.run(
            SourceSpec("file:\(path)"), path, index, receivers, feed, until: ReplayStop(), began: {})
        let heard = try #require(feed.takeWaiting())
        #expect(heard.map { receivers.names[Int($0.scanner)] } == ["attic", "cellar", "attic"])
        #expect(heard.map(\.rssi) == [-50, -90, -51])
    }
}
