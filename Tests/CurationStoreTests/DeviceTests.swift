import Beacon
import Curation
import CurationStore
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct DeviceTests {
    private static let whale = BeaconID(
        uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 1, minor: 1)

    private func report(
        _ bench: Bench, _ host: String = "hall", from: Double, revision: Int64? = 1, dwell seconds: Double = 0
    ) -> DeviceReport {
        var report = DeviceReport(
            host: host, periodStart: bench.at(from), periodEnd: bench.at(from + 60), revision: revision)
        if seconds > 0 {
            report.dwell = [DeviceReport.Dwell(id: Self.whale, revision: revision ?? 0, seconds: seconds, visits: 2)]
        }
        return report
    }

    @Test("a device holds the revision, fetches it, holds an older or a later one, or is silent")
    func states() throws {
        let bench = try Bench()
        func state(_ revision: Int64?, complete: Bool = true, of current: Int64?, after seconds: Double) -> DeviceState
        {
            var report = report(bench, from: -60, revision: revision)
            report.isComplete = complete
            return Device(host: "hall", firstAt: bench.start, reportedAt: bench.start, report: report)
                .state(current, at: bench.at(seconds))
        }
        #expect(state(5, of: 5, after: 60) == .fresh)
        #expect(state(6, of: 5, after: 60) == .ahead)
        #expect(state(nil, of: nil, after: 60) == .fresh)
        #expect(state(5, complete: false, of: 5, after: 60) == .incomplete)
        #expect(state(4, of: 5, after: 60) == .lagging)
        #expect(state(nil, of: 5, after: 60) == .lagging)
        #expect(state(5, of: 5, after: 210) == .fresh)
        #expect(state(5, of: 5, after: 211) == .silent)
        #expect(state(5, of: 5, after: -500) == .fresh)
    }

    @Test("a report that comes again is counted once, and a late one does not replace a newer one")
    func again() async throws {
        let bench = try Bench()
        try await bench.add(bench.beacon("Whale", minor: 1))
        try await bench.publish()
        #expect(try await bench.store.noteReport(report(bench, from: 0, dwell: 30), at: bench.at(61)))
        #expect(try await bench.store.noteReport(report(bench, from: 120, revision: 2, dwell: 0), at: bench.at(181)))
        #expect(try await !bench.store.noteReport(report(bench, from: 0, dwell: 30), at: bench.at(182)))
        #expect(try await bench.store.noteReport(report(bench, from: 60, dwell: 10), at: bench.at(183)))
        let device = try #require(try await bench.store.devices().first)
        #expect(device.report.revision == 2 && device.reportedAt == bench.at(181) && device.firstAt == bench.at(61))
        let day = Int64(1_800_000_000 / 86_400)
        let dwell = try await bench.store.dwell(DwellQuery(beacon: Self.whale, days: day...day))
        #expect(dwell == [Dwell(beacon: Self.whale, revision: 1, day: day, seconds: 40, visits: 4)])
    }

    @Test("dwell times survive the beacon's deletion, and those of beacons that were never entered are not kept")
    func kept() async throws {
        let bench = try Bench()
        let id = try await bench.add(bench.beacon("Whale", minor: 1)).id
        try await bench.publish()
        var first = report(bench, from: 0, dwell: 30)
        first.dwell.append(
            DeviceReport.Dwell(
                id: BeaconID(uuid: Self.whale.uuid, major: 9, minor: 9), revision: 1, seconds: 5, visits: 1))
        try await bench.store.noteReport(first, at: bench.at(61))
        try await bench.store.delete(id, by: bench.ana, at: bench.at(62))
        try await bench.store.emptyBin(by: bench.ana, at: bench.at(62))
        try await bench.store.noteReport(report(bench, from: 60, dwell: 30), at: bench.at(121))
        let all = try await bench.store.dwell(DwellQuery(days: 0...100_000))
        #expect(all.map(\.seconds) == [60] && all.map(\.beacon) == [Self.whale])
    }

    @Test("a device whose clock is wrong is counted on the server's day, and its newest report counts")
    func clock() async throws {
        let bench = try Bench()
        try await bench.add(bench.beacon("Whale", minor: 1))
        try await bench.publish()
        try await bench.store.noteReport(report(bench, from: 900_000_000, dwell: 5), at: bench.at(1))
        try await bench.store.noteReport(report(bench, from: -1_700_000_000, revision: 1, dwell: 5), at: bench.at(2))
        let day = Int64(1_800_000_000 / 86_400)
        #expect(try await bench.store.dwell(DwellQuery(days: day...day)).map(\.seconds) == [10])
        #expect(try await bench.store.devices().first?.reportedAt == bench.at(2))
    }

    @Test("too many devices and too many reports in a minute are refused")
    func limits() async throws {
        var limits = StoreLimits()
        limits.devices = 2
        limits.reportsPerMinute = 4
        let bench = try Bench(limits)
        for host in ["a", "b"] { try await bench.store.noteReport(report(bench, host, from: 0), at: bench.at(61)) }
        let more = await failure { try await bench.store.noteReport(report(bench, "c", from: 0), at: bench.at(62)) }
        #expect(more?.code == .limit)
        _ = try await bench.store.noteReport(report(bench, "a", from: 60), at: bench.at(63))
        let often = await failure { try await bench.store.noteReport(report(bench, "a", from: 120), at: bench.at(64)) }
        #expect(often?.code == .tooOften && often?.retryAfter == 60)
        // What nobody can send again is taken nevertheless.
        #expect(try await bench.store.noteReport(report(bench, "a", from: 120), at: bench.at(65), isLimited: false))
        try await bench.store.forgetDevice("b")
        _ = try await bench.store.noteReport(report(bench, "c", from: 0), at: bench.at(150))
        #expect(try await bench.store.devices().map(\.host) == ["a", "c"])
    }

    @Test("one device that sends without end is refused, and others are not")
    func flood() async throws {
        var limits = StoreLimits()
        limits.reportsPerMinute = 8
        limits.reportsPerMinuteOfDevice = 3
        let bench = try Bench(limits)
        func send(_ host: String, _ number: Int, at seconds: Double) async -> StoreError? {
            let report = report(bench, host, from: Double(number))
            return await failure {
                try await bench.store.noteReport(report, at: bench.at(seconds), ofDevice: true)
            }
        }
        for number in 0..<20 {
            let refusal = await send("loud", number, at: 61)
            #expect(number < 3 ? refusal == nil : refusal?.code == .tooOften && refusal?.retryAfter == 60)
        }
        // What was refused has used up nothing.
        for number in 0..<3 { #expect(await send("quiet", number, at: 62) == nil) }
        #expect(await send("loud", 20, at: 130) == nil)
    }

    @Test("of one device's reports a bounded number is remembered, the last ones, and none of those counts twice")
    func remembered() async throws {
        var limits = StoreLimits()
        limits.reportsOfDevice = 50
        let bench = try Bench(limits)
        try await bench.add(bench.beacon("Whale", minor: 1))
        try await bench.publish()
        for number in 0..<200 {
            try await bench.store.noteReport(report(bench, from: Double(number) * 60), at: bench.at(1))
        }
        try await bench.store.noteReport(report(bench, "other", from: 0), at: bench.at(1))
        for number in 150..<200 {
            let isNew = try await bench.store.noteReport(report(bench, from: Double(number) * 60), at: bench.at(2))
            #expect(!isNew)
        }
        // One that is older than those is not remembered, and so not counted either, however often it comes.
        for _ in 0..<2 {
            let isNew = try await bench.store.noteReport(report(bench, from: 0, dwell: 30), at: bench.at(2))
            #expect(!isNew)
        }
        let day = Int64(1_800_000_000 / 86_400)
        let uncounted = try await bench.store.dwell(DwellQuery(beacon: Self.whale, days: day...day))
        #expect(uncounted.isEmpty)
        // A report like this one counts while there is room.
        try await bench.store.noteReport(report(bench, "lobby", from: 0, dwell: 30), at: bench.at(2))
        let counted = try await bench.store.dwell(DwellQuery(beacon: Self.whale, days: day...day))
        #expect(counted.map(\.seconds) == [30])
        let isNew = try await bench.store.noteReport(report(bench, "other", from: 0), at: bench.at(2))
        #expect(!isNew)
        // Any row more makes the table's check fail.
        try await SQLite.run(
            """
            CREATE TABLE proof (most INTEGER CHECK (most = 50));
            INSERT INTO proof SELECT count(*) FROM report WHERE host = 'hall';
            """, in: bench.folder.path("content.sqlite"))
    }

    @Test("a list of devices does not read what they receive, which is gone through device by device")
    func heard() async throws {
        let bench = try Bench()
        for (number, host) in ["a", "b", "c"].enumerated() {
            var report = report(bench, host, from: 0, dwell: 5)
            report.beacons = (0..<1000 * number).map {
                DeviceReport.Heard(
                    id: BeaconID(uuid: Self.whale.uuid, major: 1, minor: UInt16(clamping: $0)), rssi: -61.5,
                    intervalMs: 100, lastSeen: bench.start)
            }
            try await bench.store.noteReport(report, at: bench.at(61))
        }
        // The last device receives more than a report keeps of it.
        let devices = try await bench.store.devices()
        #expect(devices.map(\.heard) == [0, 1000, 1000])
        #expect(devices.allSatisfy { $0.report.beacons.isEmpty && $0.report.dwell.isEmpty })
        let all = try await bench.store.hearings(into: [DeviceHearing]()) { $0.append($1) }
        #expect(all.map(\.host) == ["a", "b", "c"] && all.map(\.beacons.count) == [0, 1000, 1000])
        #expect(all.last?.beacons.last?.id.minor == 999 && all.last?.beacons.last?.lastSeen == bench.start)
        let some = try await bench.store.hearings(of: ["c", "nobody", "a"], into: [String]()) { $0.append($1.host) }
        #expect(some == ["c", "a"])
        // A later report replaces it.
        try await bench.store.noteReport(report(bench, "b", from: 60), at: bench.at(121))
        #expect(try await bench.store.devices().map(\.heard) == [0, 0, 1000])
        // What nobody can read shows whether it is read.
        try await SQLite.run("UPDATE device SET beacons = x'00';", in: bench.folder.path("content.sqlite"))
        #expect(try await bench.store.devices().map(\.host) == ["a", "b", "c"])
        #expect(await failure { try await bench.store.hearings(into: 0) { sum, _ in sum += 1 } } != nil)
        try await SQLite.run(
            """
            CREATE TABLE proof (longest INTEGER CHECK (longest < 1000));
            INSERT INTO proof SELECT length(report) FROM device;
            """, in: bench.folder.path("content.sqlite"))
    }

    @Test("a report is read as devices send it, and survives its way through JSON")
    func json() throws {
        let text = """
            {"format":1,"host":"hall-3","version":"1.2.0","period_start":"2026-05-01T08:00:00Z",
             "period_end":"2026-05-01T08:01:00Z","revision":7,"complete":false,"missing":3,"problems":["no network"],
             "scanner":"ok","later":true,
             "beacons":[{"uuid":"636f3f8f-6491-4bee-95f7-d8cc64a863b5","major":1,"minor":1,"rssi":-61.5,
                         "interval_ms":101.2,"last_seen":"2026-05-01T08:00:59Z"}],
             "dwell":[{"uuid":"636f3f8f-6491-4bee-95f7-d8cc64a863b5","major":1,"minor":1,"revision":7,"seconds":41.5,
                       "visits":1}]}
            """
        let report = try DeviceReport(json: Array(text.utf8))
        #expect(report.host == "hall-3" && report.missing == 3 && report.beacons.first?.rssi == -61.5)
        #expect(report.dwell.first?.id == Self.whale && report.period == 60)
        #expect(try DeviceReport(json: report.json()) == report)
    }

    @Test("texts of a report are cut, also one character of a million code points")
    func cut() throws {
        let bench = try Bench()
        var report = report(bench, from: 0)
        report.version = "e" + String(repeating: "\u{301}", count: 1_000_000)
        report.scanner = report.version
        report.problems = [report.version, String(repeating: "a", count: 301)]
        let read = try DeviceReport(json: report.json())
        #expect(try read.json().count < 10_000)
        #expect(read.problems.last == String(repeating: "a", count: 300))
    }

    @Test(
        "a report that is none is refused with the place",
        arguments: [
            "", "[]", #"{"host":"a"}"#,
            #"{"host":"","period_start":"2026-05-01T08:00:00Z","period_end":"2026-05-01T08:01:00Z"}"#,
            #"{"host":"a/b","period_start":"2026-05-01T08:00:00Z","period_end":"2026-05-01T08:01:00Z"}"#,
            #"{"host":"a","period_start":"2026-05-01T08:00:00Z","period_end":"2026-05-01T07:01:00Z"}"#,
            #"{"host":"a","period_start":"2026-05-01T08:00:00Z","period_end":"2036-05-01T07:01:00Z"}"#,
            #"{"host":"a","period_start":"2026-05-01T08:00:00Z","period_end":"2026-05-01T08:01:00Z","missing":-1}"#,
        ])
    func refused(_ text: String) {
        #expect { try DeviceReport(json: Array(text.utf8)) } throws: { ($0 as? StoreError)?.code == .invalid }
    }

    @Test("mutated reports never stop the reader")
    func fuzz() throws {
        let bench = try Bench()
        var whole = report(bench, from: 0, dwell: 5)
        whole.problems = ["a"]
        let json = try whole.json()
        var random = SeededGenerator(seed: 3)
        var read = 0
        for _ in 0..<3000 {
            var bytes = json
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(in: 32...126, using: &random)
            }
            if let report = try? DeviceReport(json: bytes) {
                read += 1
                _ = Device(host: "a", firstAt: bench.start, reportedAt: bench.start, report: report)
                    .state(1, at: bench.at(1e9))
            }
        }
        #expect(read > 0 && read < 3000)
    }
}
