import Beacon
import Console
import Ranging
import Testing
import Text

private let uuid = ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5)
private let first = BeaconID(uuid: uuid, major: 1, minor: 1)
private let second = BeaconID(uuid: uuid, major: 1, minor: 2)

private func ranking(_ count: Int = 2, at seconds: Double = 1_767_225_600) -> Ranking {
    let time = Timestamp(seconds: seconds)
    let beacons = (0..<count).map { index in
        RangedBeacon(
            rank: index + 1, id: BeaconID(uuid: uuid, major: 1, minor: UInt16(index + 1)), rssi: Int8(-60 - index),
            filteredRSSI: -60.25 - Double(index), measuredPower: -59,
            distance: Distance(metres: 1.234, low: 0.5, high: 3), proximity: .near,
            lastSeen: time.advanced(bySeconds: -0.25), count: 7)
    }
    return Ranking(time: time, nearest: beacons.first?.id, beacons: beacons)
}

@Suite("Rankings for machines")
struct RankingTextTests {
    @Test("JSON has the documented keys in the documented order")
    func json() {
        let text = RankingText(names: [first: "A \"quoted\"\nname"]).json(ranking(1))
        #expect(
            text == """
                {"time":"2026-01-01T00:00:00.000000Z","scanner":"ok","nearest":{"uuid":"\(uuid)","major":1,"minor":1,\
                "name":"A \\"quoted\\"\\nname"},"beacons":[{"rank":1,"uuid":"\(uuid)","major":1,"minor":1,\
                "name":"A \\"quoted\\"\\nname","rssi":-60,"rssi_filtered":-60.3,"measured_power":-59,"distance_m":1.23,\
                "distance_low_m":0.50,"distance_high_m":3.00,"proximity":"near",\
                "last_seen":"2025-12-31T23:59:59.750000Z","count":7}]}
                """)
    }

    @Test("where several receivers hear, JSON says whose level counts, and lists the others")
    func receivers() {
        var ranking = ranking(1)
        ranking.beacons[0].source = 1
        ranking.beacons[0].others = OtherReceivers([ReceiverLevel(source: 0, level: -71.26)])
        let text = RankingText(names: [:], receivers: ["hci0", "attic"]).json(ranking)
        #expect(
            text.hasSuffix(
                ",\"count\":7,\"receivers\":[{\"source\":\"attic\",\"rssi_filtered\":-60.3,\"used\":true},"
                    + "{\"source\":\"hci0\",\"rssi_filtered\":-71.3,\"used\":false}]}]}"))
        ranking.beacons[0].source = nil
        ranking.beacons[0].others = OtherReceivers()
        #expect(RankingText(names: [:], receivers: ["a", "b"]).json(ranking).contains("\"receivers\":[]"))
    }

    @Test("JSON says null where there is nothing, and blind where hearing is in doubt")
    func empty() {
        let text = RankingText(names: [:]).json(ranking(0), isBlind: true)
        #expect(text.contains("\"scanner\":\"blind\",\"nearest\":null,\"beacons\":[]"))
    }

    @Test("CSV quotes names and has as many fields as its header")
    func csv() {
        let text = RankingText(names: [first: "a,b"]).csv(ranking(2))
        let lines = text.split(separator: "\n")
        #expect(lines.count == 2)
        #expect(lines.first?.contains(",\"a,b\",") == true)
        #expect(lines.last?.split(separator: ",", omittingEmptySubsequences: false).count
            == RankingText.csvHeader.split(separator: ",").count)
    }
}

@Suite("The ranking table")
struct RankingTableTests {
    private let terminal = Terminal(isTerminal: true, columns: 100, rows: 20)

    @Test("aligns its columns, marks the nearest, and tells a shared UUID once")
    func table() {
        var table = RankingTable(names: [first: "Steam Engine"], terminal: terminal)
        let lines = table.lines(ranking(2), terminal: terminal)
        #expect(lines[0].contains(uuid.uppercased))
        #expect(lines[2].hasPrefix("▶ 1  Steam Engine"))
        #expect(lines[3].hasPrefix("  2  1.2         "))
        #expect(lines[2].count == lines[3].count)
        #expect(lines[2].contains("1.2 m   0.5–3.0"))
    }

    @Test("fits any terminal over a hundred updates, and stands still", arguments: [40, 60, 80, 120, 200])
    func fits(columns: Int) {
        let terminal = Terminal(isTerminal: true, columns: columns, rows: 20)
        let names = [first: String(repeating: "Museum of Natural History ", count: 8), second: "蒸汽机 متحف"]
        var table = RankingTable(names: names, terminal: terminal)
        var headings: Set<String> = []
        for step in 0..<100 {
            let lines = table.lines(ranking(5, at: 1_767_225_600 + Double(step)), terminal: terminal)
            #expect(lines.allSatisfy { displayWidth($0) < columns }, "\(lines)")
            headings.insert(lines.first { $0.contains("BEACON") } ?? "")
            #expect(Set(lines.suffix(5)).count == 5)
        }
        #expect(headings.count == 1, "\(headings)")
    }

    @Test("tells beacons of several UUIDs apart where they differ", arguments: [40, 80])
    func several(columns: Int) {
        let terminal = Terminal(isTerminal: true, columns: columns, rows: 40)
        var ranking = ranking(0)
        let beacons = (0..<12).map { index in
            RangedBeacon(
                rank: index + 1,
                id: BeaconID(uuid: ProximityUUID(uuid.value + UInt128(index) << 64), major: 1, minor: 1), rssi: -60,
                filteredRSSI: -60, measuredPower: -59, distance: nil, proximity: .near, lastSeen: ranking.time, count: 1
            )
        }
        ranking = Ranking(time: ranking.time, nearest: nil, beacons: beacons)
        var table = RankingTable(names: [:], terminal: terminal)
        let labels = table.lines(ranking, terminal: terminal).suffix(12).map { $0.dropFirst(5).prefix { $0 != " " } }
        #expect(Set(labels).count == 12, "\(labels)")
    }

    @Test("leaves control characters out of names")
    func names() {
        var table = RankingTable(names: [first: "\u{1B}[2Jevil\u{7}"], terminal: terminal)
        #expect(!table.lines(ranking(1), terminal: terminal).joined().contains("\u{1B}"))
    }

    @Test("fits the rows that it is given, and says how many are left out")
    func rows() {
        var table = RankingTable(names: [:], terminal: terminal)
        let lines = table.lines(ranking(30), rows: 8, terminal: terminal)
        #expect(lines.count == 8)
        #expect(lines.last?.contains("25 more") == true)
    }

    @Test("says so when nothing is in range")
    func empty() {
        var table = RankingTable(names: [:], terminal: terminal)
        #expect(table.lines(ranking(0), terminal: terminal).last == "no beacon in range")
    }

    @Test("uses only ASCII where the locale has nothing else")
    func ascii() {
        let plain = Terminal(isTerminal: true, hasBlocks: false)
        var table = RankingTable(names: [:], terminal: plain)
        let isASCII = table.lines(ranking(3), terminal: plain).joined().unicodeScalars.allSatisfy(\.isASCII)
        #expect(isASCII)
    }

    @Test("is drawn over its former self on a terminal, and one after another elsewhere")
    func display() {
        var live = LiveDisplay(terminal: terminal)
        #expect(!live.text(["a", "b"]).contains("\u{1B}[2A"))
        #expect(live.text(["c"]).hasPrefix("\u{1B}[2A"))
        var plain = LiveDisplay(terminal: Terminal(isTerminal: false))
        #expect(plain.text(["a"]) + plain.text(["b"]) == "a\n\nb\n\n")
    }
}

@Suite("Ticks")
struct RangingTicksTests {
    private func sighting(_ seconds: Double) -> Sighting {
        Sighting(
            time: Timestamp(seconds: seconds), rssi: -60, beacon: IBeacon(id: first, measuredPower: -59))
    }

    private func times(
        _ interval: Double, _ body: (inout RangingTicks, (Ranking, [RangingEvent]) -> Void) -> Void
    ) -> [Double] {
        var ticks = RangingTicks(interval: interval)
        var times: [Double] = []
        body(&ticks) { ranking, _ in times.append(ranking.time.seconds) }
        return times
    }

    @Test("come at even intervals of the source's time, the first one interval after the first sighting")
    func even() {
        let times = times(1) { ticks, tick in
            for time in [100.0, 100.5, 101.0, 103.2] { ticks.add(sighting(time), tick) }
            ticks.finish(tick)
        }
        #expect(times == [101, 102, 103, 104])
    }

    @Test("end a second after the last sighting at the latest: what was not recorded is no silence", arguments: [
        (0.5, [100.5, 101, 101.5, 102, 102.5]), (1.0, [101, 102, 103]), (2.0, [102, 103.4]), (60, [103.4]),
        (1e9, [103.4]),
    ] as [(Double, [Double])])
    func end(interval: Double, expected: [Double]) {
        var nearest: BeaconID?
        let times = times(interval) { ticks, tick in
            for time in [100.0, 101, 102.4] { ticks.add(sighting(time), tick) }
            ticks.finish { ranking, events in
                nearest = ranking.nearest
                tick(ranking, events)
            }
        }
        #expect(times == expected)
        #expect(nearest == first)
    }

    @Test("have seen everything up to their time")
    func complete() {
        var ticks = RangingTicks(interval: 1)
        var counts: [Int] = []
        for time in [100.0, 100.5, 101.0, 101.5] {
            ticks.add(sighting(time)) { ranking, _ in counts.append(ranking.beacons.first?.count ?? 0) }
        }
        #expect(counts == [3])
    }

    @Test("are not owed for a clock that jumps")
    func jump() {
        let times = times(1) { ticks, tick in
            ticks.add(sighting(100), tick)
            ticks.add(sighting(1_000_000_000), tick)
        }
        #expect(times.count < 10)
    }

    @Test("go on as before when the wall clock is set, and are told by it")
    func clockSet() {
        var exits = 0
        let times = times(1) { ticks, tick in
            for step in 0..<40 {
                let wall = 1000 + Double(step) + (step < 20 ? 0 : 1800)
                ticks.readClocks(wall: Timestamp(seconds: wall), elapsed: .seconds(step))
                let count: (Ranking, [RangingEvent]) -> Void = { ranking, events in
                    exits += events.count { if case .exited = $0 { true } else { false } }
                    tick(ranking, events)
                }
                ticks.add(sighting(wall), count)
                ticks.advance(to: Timestamp(seconds: wall), count)
            }
        }
        #expect(exits == 0)
        let expected: [Int] = Array(1001...1019) + Array(2820...2839)
        #expect(times == expected.map { Double($0) })
    }

    @Test("do not come before anything was heard")
    func nothing() {
        #expect(times(1) { ticks, tick in
            ticks.advance(to: Timestamp(seconds: 500), tick)
            ticks.finish(tick)
        }.isEmpty)
    }
}
