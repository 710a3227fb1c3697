import Console
import Testing

/// What systemd is told.
@Suite("Notices to systemd")
struct ServiceNoticesTests {
    private func rest(_ notices: inout ServiceNotices) -> [String] {
        var sent: [String] = []
        while let text = notices.next() { sent.append(text) }
        return sent
    }

    @Test("are sent in order, and sending starts once, and again when it has ended")
    func order() {
        var notices = ServiceNotices()
        let starts = [notices.add(.ready, "READY=1"), notices.add(.status, "STATUS=a")]
        #expect(starts == [true, false])
        let first = notices.next()
        #expect(first == "READY=1")
        let startsAgain = notices.add(.alive, "WATCHDOG=1")
        #expect(!startsAgain)
        #expect(rest(&notices) == ["STATUS=a", "WATCHDOG=1"])
        let startsAfterwards = notices.add(.status, "STATUS=b")
        #expect(startsAfterwards)
    }

    @Test("are at most one of a kind, the newest and last, however slow systemd is")
    func newest() {
        var notices = ServiceNotices()
        for round in 0..<1000 {
            for kind in ServiceNotices.Kind.allCases { _ = notices.add(kind, "\(kind) \(round)") }
        }
        _ = notices.add(.reloading, "reloading")
        _ = notices.add(.ready, "ready")
        #expect(rest(&notices) == ["stopping 999", "status 999", "alive 999", "reloading", "ready"])
    }
}
