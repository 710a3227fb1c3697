import Beacon
import Foundation
import Health
import History
import Reports
import Settings
import Synchronization
import TestSupport
import Text

extension FuzzTarget {
    /// A damaged database. The input is what a damaged disk did: an offset of three bytes and a byte to put there,
    /// again and again.
    static let history = FuzzTarget("history", longestInput: 300, mutationsInTests: 100) {
        // The header of the file, the schema, and pages of records.
        [
            [], [0, 0, 16, 1], [0, 0, 18, 9], [0, 0, 100, 13, 0, 16, 0, 0], [0, 32, 0, 255, 0, 32, 3, 255],
            [0, 64, 3, 0, 0, 80, 9, 7], [1, 47, 240, 8, 1, 63, 248, 200],
        ]
    } check: { damage in
        try HistoryScene.shared.get().read(damagedBy: damage)
    }
}

/// A small recorded day, and a place where a damaged copy of it is read.
private final class HistoryScene: Sendable {
    static let shared = Result { try HistoryScene() }

    private static let start = 1_767_225_600
    private let folder: TemporaryFolder
    private let database: [UInt8]
    /// Checks run one after the other: they use the same file.
    private let turn = Mutex(())

    private init() throws {
        folder = try TemporaryFolder()
        database = try Self.recorded(in: folder)
    }

    private static func recorded(in folder: TemporaryFolder) throws -> [UInt8] {
        let settings = HistorySettings(file: folder.path("whole.db"))
        let store = try HistoryStore(settings)
        let beacon = BeaconID(uuid: ProximityUUID(7), major: 1, minor: 2)
        for minute in 0..<20 {
            let begin = Timestamp(seconds: Double(start + minute * 60))
            var levels = Histogram()
            levels.add(-60 - minute, count: 100)
            var distances = Histogram()
            distances.add(DistanceScale.bin(of: 2), count: 60)
            let interval = BeaconInterval(
                id: beacon, start: begin, seconds: 60, firstSeen: begin, lastSeen: begin.advanced(bySeconds: 59),
                count: 100, measuredPower: -59, levels: levels, distances: distances, filteredLevel: -60,
                distanceRange: 1...3, presentSeconds: 60, nearestSeconds: 30)
            let visit = RecordedSpan(
                id: minute, subject: .visit(beacon), begin: begin, end: begin.advanced(bySeconds: 30))
            try store.write([interval], [visit], [], names: [beacon: "Hall"])
            let problem = HealthProblem(kind: .weak, since: Int64(start + minute / 5 * 300), evidence: "12 dB weaker")
            try store.write([ReportedProblem(beacon: beacon, problem: problem, last: begin)], names: [:])
        }
        store.close()
        return try [UInt8](Data(contentsOf: URL(filePath: settings.file)))
    }

    func read(damagedBy damage: [UInt8]) throws {
        try turn.withLock { _ in try readAlone(damagedBy: damage) }
    }

    private func readAlone(damagedBy damage: [UInt8]) throws {
        var bytes = database
        for index in stride(from: 0, to: damage.count - 3, by: 4) {
            let offset = damage[index..<index + 3].reduce(0) { $0 << 8 | Int($1) }
            bytes[offset % bytes.count] = damage[index + 3]
        }
        let place = URL(filePath: folder.path("damaged"))
        try? FileManager.default.removeItem(at: place)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let file = place.appending(path: "history.db")
        try Data(bytes).write(to: file)
        _ = try refusing {
            let store = try HistoryStore(HistorySettings(file: file.path))
            defer { store.close() }
            let from = Timestamp(seconds: Double(Self.start))
            let span = from...from.advanced(bySeconds: 1800)
            var assembly = ReportAssembly(span: span, resolution: 60, localTime: .utc)
            let names = try store.play(span, into: &assembly)
            let report = assembly.report(names: names)
            for format in ReportFormat.allCases {
                let text = report.rendered(as: format, terminal: Terminal(isTerminal: false))
                try require(text.utf8.count < 1 << 20, "a report of \(text.utf8.count) bytes")
            }
        }
    }
}
