import FleetFormat
import Rooms
import Text

/// Decides what to report about scanners whose clock is wrong or whose messages do not count. A plain value.
struct ScannerNotices: Sendable {
    /// Milliseconds by which a clock must be wrong to be reported, and below which it is reported as right again.
    static let farApart = 3000
    static let near = 1000
    /// Messages of a minute that may be lost without a report.
    static let fewLost = 5
    /// Seconds after which the same is reported again.
    static let pause: Int64 = 3600
    /// The maximum number of lines of one check. Further ones are only counted.
    static let mostLines = 10

    /// The maximum number of lines that were not taken yet.
    static let mostWaiting = 100

    private struct Told {
        var isApart = false
        var lost: Int64?
        var before: HearingMessage.Scanner?
    }

    private var told: [String: Told] = [:]
    private var lines: [String] = []

    mutating func take() -> [String] {
        defer { lines = [] }
        return lines
    }

    /// Called once a minute.
    ///
    /// - Parameters:
    ///   - hearings: how each scanner is received, by name.
    ///   - isSynchronised: whether a scanner's clock is synchronised; nil if it does not say.
    mutating func look(
        at hearings: [String: HearingMessage.Scanner], second: Int64, isSynchronised: (String) -> Bool?
    ) {
        var new: [String] = []
        var kept: [String: Told] = [:]
        for (scanner, hearing) in hearings.sorted(by: { $0.key < $1.key }) {
            var entry = told[scanner] ?? Told()
            let name = excerpt(scanner)
            if let line = clock(hearing, isSynchronised(scanner), &entry) { new.append("\(name): \(line)") }
            if let line = loss(hearing, &entry, second: second) { new.append("\(name): \(line)") }
            entry.before = hearing
            kept[scanner] = entry
        }
        told = kept
        if new.count > Self.mostLines {
            let rest = new.count - Self.mostLines
            new = new.prefix(Self.mostLines) + ["the same of more scanners: \(rest) lines left out"]
        }
        lines = Array((lines + new).prefix(Self.mostWaiting))
    }

    private func clock(_ hearing: HearingMessage.Scanner, _ isSynchronised: Bool?, _ entry: inout Told) -> String? {
        guard let clock = hearing.clock else { return nil }
        if clock.magnitude >= Self.farApart, !entry.isApart {
            entry.isApart = true
            let synchronised = isSynchronised == true ? "" : ": run 'sudo timedatectl set-ntp true' there"
            return "its clock is \(clockText(clock)), which is corrected\(synchronised)"
        }
        if clock.magnitude <= Self.near, entry.isApart {
            entry.isApart = false
            return "its clock is right again"
        }
        return nil
    }

    private func loss(_ now: HearingMessage.Scanner, _ entry: inout Told, second: Int64) -> String? {
        let before = entry.before ?? now
        guard entry.lost.map({ second - $0 >= Self.pause || second < $0 }) ?? true else { return nil }
        let reason =
            now.clock == nil
            ? "its clock is wrong, and it does not ask for the fleet's: update it" : "its network is slow"
        let line: String? =
            if now.ahead - before.ahead > Self.fewLost {
                "\(now.ahead - before.ahead) messages of the last minute are far ahead of the other scanners: "
                    + "its clock is wrong"
            } else if now.late - before.late > Self.fewLost {
                "\(now.late - before.late) messages of the last minute came too late to count: \(reason)"
            } else if now.dropped > before.dropped {
                "\(now.dropped - before.dropped) seconds were dropped: it sends more beacons than there is room for"
            } else {
                nil
            }
        if line != nil { entry.lost = second }
        return line
    }
}

/// How a clock differs from the fleet's: "12.3 s behind", or "right".
///
/// - Parameter correction: milliseconds to add to it.
package func clockText(_ correction: Int) -> String {
    guard correction.magnitude >= 100 else { return "right" }
    let seconds = abs(Double(correction)) / 1000
    let (number, unit): (Double, String) =
        switch seconds {
        case ..<600: (seconds, "s")
        case ..<36_000: (seconds / 60, "min")
        case ..<864_000: (seconds / 3600, "h")
        default: (seconds / 86_400, "days")
        }
    return "\(fixed(number, digits: 1)) \(unit) \(correction > 0 ? "behind" : "ahead")"
}
