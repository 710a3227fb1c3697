import Beacon
import ContentServer
import Curation
import CurationStore
import Testing

@Suite("Statistics of stays")
struct StatisticsTests {
    private static let whale = BeaconID("7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096/1/1")
    private static let shark = BeaconID("7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096/1/2")

    @Test("add up days and devices by beacon and revision, the most visited beacon first")
    func summary() throws {
        let (whale, shark) = (try #require(Self.whale), try #require(Self.shark))
        let rows = [
            Dwell(beacon: whale, revision: 1, day: 10, seconds: 60, visits: 2),
            Dwell(beacon: whale, revision: 1, day: 11, seconds: 30, visits: 1),
            Dwell(beacon: whale, revision: 2, day: 11, seconds: 80, visits: 1),
            Dwell(beacon: shark, revision: 2, day: 11, seconds: 10, visits: 9),
        ]
        let summary = DwellSummary(rows)
        let beacons = summary.beacons.map(\.beacon)
        let means = try #require(summary.beacons.last).revisions.map(\.mean)
        #expect(beacons == [shark, whale])
        #expect(means == [80, 30])
        #expect(summary.visits == [10: 2, 11: 11])
        #expect(summary.longest == 80)
    }

    @Test("add up only whole days where there is too much, and count the beacons that are left out")
    func tooMuch() throws {
        let whale = try #require(Self.whale)
        let days: [Int64] = [12, 11, 11, 10]
        let rows = days.enumerated().map { index, day in
            Dwell(beacon: whale, revision: Int64(index), day: day, seconds: 1, visits: 1)
        }
        for (limit, since, visits) in [
            (4, nil, [10: 1, 11: 2, 12: 1]), (3, 11, [11: 2, 12: 1]), (2, 12, [12: 1]), (1, 12, [12: 1]),
        ] as [(Int, Int64?, [Int64: Int])] {
            let summary = DwellSummary(rows, atMost: limit)
            #expect(summary.since == since && summary.visits == visits, "\(limit)")
        }
        let many = (UInt16(1)...103).map { minor in
            let beacon = BeaconID(uuid: whale.uuid, major: 1, minor: minor)
            return Dwell(beacon: beacon, revision: 1, day: 10, seconds: 1, visits: 1)
        }
        let summary = DwellSummary(many)
        #expect(summary.beacons.count == 100 && summary.rest == 3)
    }

    @Test("count days in UTC", arguments: [("1970-01-01", 0), ("1970-01-02", 1), ("2026-11-22", 20_779)])
    func days(_ text: String, _ number: Int64) {
        #expect(CivilDay.number(of: text) == number)
        #expect(CivilDay.text(of: number) == text)
    }

    @Test("refuse what is no date", arguments: ["", "2026-13-01", "yesterday", "2026-1-1", "2026-02-30"])
    func noDate(_ text: String) {
        #expect(CivilDay.number(of: text) == nil)
    }

    @Test("draw at most 120 columns, all of them inside of the plot", arguments: [1, 30, 120, 121, 3660] as [Int64])
    func plot(_ days: Int64) throws {
        let plot = DayPlot([days - 1: 7], days: 0...(days - 1)).value
        guard case .map(let values) = plot, case .list(let columns)? = values["columns"] else {
            Issue.record("there is no plot")
            return
        }
        #expect((1...120).contains(columns.count))
        #expect(values["most"] == .text("7"))
        for column in columns.map(numbers) {
            let (x, width) = (try #require(column["x"]), try #require(column["width"]))
            let (y, height) = (try #require(column["y"]), try #require(column["height"]))
            #expect(x >= 0 && width > 0 && x + width <= DayPlot.width, "\(column)")
            #expect(y >= 0 && height >= 0 && y + height <= DayPlot.height, "\(column)")
        }
    }

    private func numbers(_ column: PageValue) -> [String: Double] {
        guard case .map(let values) = column else { return [:] }
        return values.compactMapValues { value -> Double? in
            guard case .text(let text) = value else { return nil }
            return Double(text)
        }
    }

    @Test("draw nothing if nobody came")
    func nothing() {
        #expect(DayPlot([:], days: 0...29).value == .none)
    }
}
