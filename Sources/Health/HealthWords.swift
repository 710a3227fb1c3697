import Text

/// The evidence for people, in words and figures.
enum HealthWords {
    static func missing(_ witnesses: [Witness], missingAfter: Int) -> String {
        let silence = witnesses.map(\.reading.silence).min() ?? 0
        return "not heard for \(minutes(silence)) by \(scanners(witnesses)); "
            + "it is silent for \(minutes(missingAfter)) at most"
    }

    static func neverHeard(minutes count: Int) -> String {
        "expected, and not heard in \(minutes(count))"
    }

    static func weak(_ levels: LevelEvidence, _ witnesses: [Witness]) -> String {
        let heard = witnesses.filter { $0.deviation != nil }
        if levels.deviation > -LevelEvidence.longDrift, levels.drift <= -LevelEvidence.longDrift {
            return "the usual level has fallen by \(decibels(-levels.drift)) at \(scanners(heard))"
        }
        return "\(decibels(-levels.deviation)) weaker than usual: \(places(heard))"
    }

    static func moved(_ levels: LevelEvidence, _ witnesses: [Witness]) -> String {
        if levels.losing.isEmpty, !levels.gaining.isEmpty {
            return "stronger than usual: \(places(levels.gaining)); moved, or with more power"
        }
        let changed = witnesses.filter { max($0.loss, $0.gain, $0.approach) >= LevelEvidence.turned / 2 }
        return "another place: \(places(changed))"
    }

    static func elsewhere(_ levels: LevelEvidence, _ witnesses: [Witness]) -> String {
        let usual = witnesses.filter { $0.deviation.map { abs($0) <= 4 } ?? false }
        return "also sent elsewhere: \(places(levels.gaining)), while heard as usual by \(scanners(usual))"
    }

    static func twice(_ witness: Witness) -> String {
        "a second sender with the same identity, heard by \(witness.scanner)"
    }

    static func slow(now: Double, usual: Double) -> String {
        "a packet each \(interval(now)), usually each \(interval(usual))"
    }

    static func battery(_ percent: Int) -> String { "\(percent) % left, as it says" }

    static func claimChanged(_ witness: Witness, from usual: Int8) -> String {
        "claims \(witness.reading.claim) dBm at 1 m, before \(usual) dBm, and is heard as before"
    }

    static func claimImpossible(_ claim: Int8) -> String {
        "claims \(claim) dBm at 1 m: no beacon sends as strongly"
    }

    static func claimExceeded(_ witness: Witness, level: Double) -> String {
        "claims \(witness.reading.claim) dBm at 1 m, and \(witness.scanner) hears it with \(fixed(level, digits: 0)) "
            + "dBm"
    }

    // MARK: - Parts

    /// At most four scanners by name.
    private static func scanners(_ witnesses: [Witness]) -> String {
        let names = witnesses.map(\.scanner).sorted()
        guard names.count > 4 else { return names.joined(separator: ", ") }
        return "\(names.prefix(3).joined(separator: ", ")) and \(names.count - 3) others"
    }

    /// "-74 dBm at pi-1, usually -61": at most three scanners.
    private static func places(_ witnesses: [Witness]) -> String {
        let sorted = witnesses.sorted { $0.scanner < $1.scanner }
        let parts = sorted.prefix(3).map { witness in
            let now = witness.reading.level.map { "\(fixed($0, digits: 0)) dBm" } ?? "silent"
            let usual = witness.reading.usual.map { "usually \(fixed($0, digits: 0)) dBm" } ?? "usually not heard"
            return "\(now) at \(witness.scanner), \(usual)"
        }
        return (parts + (sorted.count > 3 ? ["\(sorted.count - 3) more"] : [])).joined(separator: "; ")
    }

    private static func decibels(_ value: Double) -> String { "\(fixed(value, digits: 0)) dB" }

    static func minutes(_ count: Int) -> String {
        if count < 120 { return "\(count) min" }
        return count < 2880 ? "\(count / 60) h" : "\(count / 1440) days"
    }

    private static func interval(_ seconds: Double) -> String {
        seconds < 1 ? "\(fixed(seconds * 1000, digits: 0)) ms" : "\(fixed(seconds, digits: 1)) s"
    }
}
