import Beacon
import Glibc
import History
import Reports
import Settings

/// Writes a minute after the other into a history, each with twenty beacons and a visit, and says when it is written.
struct HistoryWriter {
    var file: String
    private let start = 1_800_000_000

    init(file: String) {
        self.file = file
    }

    /// Goes on until it is killed, or cannot write three times.
    ///
    /// - Parameter limit: no file may have more octets, as on a disk that is full.
    func run(limit: UInt?) throws {
        if let limit {
            signal(SIGXFSZ, SIG_IGN)
            var most = rlimit(rlim_cur: limit, rlim_max: limit)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &most)
        }
        let store = try HistoryStore(HistorySettings(file: file))
        var minutes = try Int((store.newest()?.seconds ?? Double(start)) - Double(start)) / 60
        var failures = 0
        while failures < 3, minutes < 100_000 {
            let begin = Timestamp(seconds: Double(start + minutes * 60))
            do {
                let visit = RecordedSpan(
                    id: minutes, subject: .visit(id(1)), begin: begin, end: begin.advanced(bySeconds: 60))
                try store.write((0..<20).map { minute(begin, $0) }, [visit], [])
                try store.tidy(olderThan: nil, laterThan: begin.advanced(bySeconds: 86_400))
                minutes += 1
                say("minute \(minutes)")
            } catch {
                failures += 1
                say("failed \(error.code.rawValue) \(error)")
            }
        }
    }

    private func id(_ minor: UInt16) -> BeaconID {
        BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 1, minor: minor)
    }

    /// A hundred readings.
    private func minute(_ begin: Timestamp, _ minor: UInt16) -> BeaconInterval {
        var levels = Histogram()
        // Not the same in each minute: rows that are alike would be smaller than real ones.
        for step in 0..<100 { levels.add(-60 + (step &* 7 &+ Int(begin.seconds) / 60) % 13 - 6) }
        var distances = Histogram()
        distances.add(DistanceScale.bin(of: 2), count: 60)
        return BeaconInterval(
            id: id(minor), start: begin, seconds: 60, firstSeen: begin.advanced(bySeconds: 0.5),
            lastSeen: begin.advanced(bySeconds: 59.5), count: 100, measuredPower: -59, levels: levels,
            distances: distances, filteredLevel: -60, distanceRange: 1...3, presentSeconds: 60, nearestSeconds: 30)
    }
}
