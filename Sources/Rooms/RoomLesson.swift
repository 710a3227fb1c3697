package import Beacon
import Ranging

/// Somebody walks about in a room with a beacon. What the scanners receive meanwhile becomes a `TaughtRoom`.
package struct RoomLesson: Sendable {
    /// The levels by scanner, and which scanners could receive.
    private struct Window {
        var levels: [String: (sum: Double, count: Double)] = [:]
        var awake: Set<String> = []
    }

    /// Seconds that count as one spot, in which somebody walks a few metres.
    static let window: Int64 = 5
    package static let fewestSeconds = 30
    /// Ten minutes. What is received after that is not used.
    private static let mostWindows = 120

    package let beacon: BeaconID
    private var windows: [Int64: Window] = [:]
    /// The first and the last second that was taken: the windows at both ends are not whole.
    private var span: ClosedRange<Int64>?
    /// The last level at each scanner, in dBm.
    package private(set) var heard: [String: Double] = [:]

    package init(_ beacon: BeaconID) {
        self.beacon = beacon
    }

    /// Seconds in which it was received, by windows.
    package var seconds: Int {
        guard let span else { return 0 }
        return windows.filter { !$0.value.levels.isEmpty }.keys.reduce(0) { sum, index in
            let begin = index * Self.window
            return sum + (begin...begin + Self.window - 1).clamped(to: span).count
        }
    }

    package mutating func take(_ report: ScannerSecond) {
        guard !report.isBlind else { return }
        let index = report.second / Self.window
        guard windows[index] != nil || windows.count < Self.mostWindows else { return }
        var window = windows[index] ?? Window()
        guard window.awake.contains(report.scanner) || window.awake.count < RoomMap.mostScanners else { return }
        window.awake.insert(report.scanner)
        if let level = report.heard.first(where: { $0.beacon == beacon })?.level, level.isFinite {
            let old = window.levels[report.scanner] ?? (0, 0)
            window.levels[report.scanner] = (old.sum + level, old.count + 1)
            heard[report.scanner] = level
        }
        windows[index] = window
        let (first, last) = (span?.lowerBound ?? report.second, span?.upperBound ?? report.second)
        span = min(first, report.second)...max(last, report.second)
    }

    /// The taught room; nil if the beacon was not received for long enough.
    ///
    /// - Parameters:
    ///   - level: dBm at 1 m, as the fleet receives the beacon; nil if unknown.
    ///   - antennas: dB by which each scanner receives too much, as the fleet has learned it.
    package func room(_ room: RoomMap.Room, level: Double?, antennas: [String: Double]) -> TaughtRoom? {
        guard seconds >= Self.fewestSeconds else { return nil }
        let reference = level ?? RoomModel().reference
        var groups = windows.sorted { $0.key < $1.key }.map(\.value).filter { !$0.levels.isEmpty }
            .map { Group(Self.losses($0, from: reference, antennas)) }
        while groups.count > TaughtRoom.mostSpots, let (first, second) = Group.nearest(groups) {
            groups[first].merge(groups[second])
            groups.remove(at: second)
        }
        return TaughtRoom(room: room, spots: groups.map(\.losses))
    }

    private static func losses(
        _ window: Window, from level: Double, _ antennas: [String: Double]
    ) -> TaughtRoom.Losses {
        var losses: TaughtRoom.Losses = [:]
        for scanner in window.awake {
            let heard = window.levels[scanner].map { $0.sum / $0.count - (antennas[scanner] ?? 0) }
            losses.updateValue(heard.map { level - $0.clamped(to: -127...20) }, forKey: scanner)
        }
        return losses
    }
}

extension RoomLesson {
    /// Similar windows: somebody stood there longer, or came back.
    private struct Group {
        private struct Sum {
            var sum = 0.0
            var heard = 0.0
            var windows = 0.0

            var mean: Double { heard > 0 ? sum / heard : RoomModel.unheardLoss }
        }

        private var sums: [String: Sum] = [:]

        init(_ losses: TaughtRoom.Losses) {
            for (scanner, loss) in losses {
                sums[scanner] = Sum(sum: loss ?? 0, heard: loss == nil ? 0 : 1, windows: 1)
            }
        }

        mutating func merge(_ other: Group) {
            for (scanner, sum) in other.sums {
                sums[scanner, default: Sum()].sum += sum.sum
                sums[scanner]?.heard += sum.heard
                sums[scanner]?.windows += sum.windows
            }
        }

        /// A scanner that missed it in most windows counts as not receiving it.
        var losses: TaughtRoom.Losses {
            sums.mapValues { $0.heard * 3 >= $0.windows ? ($0.mean * 10).rounded() / 10 : nil }
        }

        private func distance(to other: Group) -> Double {
            var (sum, count) = (0.0, 0.0)
            for (scanner, mine) in sums {
                guard let others = other.sums[scanner], mine.heard + others.heard > 0 else { continue }
                sum += (mine.mean - others.mean) * (mine.mean - others.mean)
                count += 1
            }
            return count > 0 ? sum / count : .infinity
        }

        /// The two most similar groups; the first ones if several are equal.
        static func nearest(_ groups: [Group]) -> (Int, Int)? {
            var best: (first: Int, second: Int, distance: Double)?
            for first in groups.indices {
                for second in groups.indices where second > first {
                    let distance = groups[first].distance(to: groups[second])
                    if best.map({ distance < $0.distance }) ?? true { best = (first, second, distance) }
                }
            }
            return best.map { ($0.first, $0.second) }
        }
    }
}
