package import Beacon
package import Health

/// What happens to one beacon, and from when on.
package struct HealthScene: Sendable {
    package enum Kind: String, CaseIterable, Sendable {
        case death
        /// Less from one minute to the next.
        case step
        /// 1 dB less each five minutes, and 3 dB more in the end. It counts from `decibels` on.
        case fade
        case move
        /// With another beacon.
        case swap
        /// Another sender beside it, with an address of its own.
        case impostorBeside = "impostor beside"
        /// The same with a copied address, so that only the packets in between show it.
        case impostorCopied = "impostor, copied address"
        /// Another sender where only other scanners hear it well.
        case impostorElsewhere = "impostor elsewhere"
        case slowHalf = "slow, half as often"
        case slowFifth = "slow, a fifth as often"
        case claim
        case battery

        /// Whether it can be more or less.
        package var isDecibels: Bool { [.step, .fade, .move, .swap].contains(self) }
    }

    package var kind: Kind
    package var beacon: BeaconID
    /// Minutes since 1970.
    package var begins: Int64
    /// The scanner beside which the impostor is.
    package var scanner = 0
    /// dB that a step, a fade or another place makes.
    package let decibels: Double

    package init(_ kind: Kind, _ beacon: BeaconID, begins: Int64, scanner: Int = 0, decibels: Double = 15) {
        self.kind = kind
        self.beacon = beacon
        self.begins = begins
        self.scanner = scanner
        self.decibels = decibels
    }

    /// What tells it. A beacon that is moved away from its only scanner is weak.
    package var told: Set<HealthProblem.Kind> {
        switch kind {
        case .death: [.missing]
        case .step, .fade: [.weak]
        case .move, .swap: [.moved, .weak, .missing]
        case .impostorBeside, .impostorCopied, .impostorElsewhere: [.impostor]
        case .slowHalf, .slowFifth: [.slow]
        case .claim: [.claim]
        case .battery: [.battery]
        }
    }

    /// Minutes since 1970 from which the delay is counted.
    package var counts: Int64 { kind == .fade ? begins + Int64(5 * decibels) : begins }

    func change(_ minute: inout BeaconMinute, _ interval: inout Double, of id: BeaconID, at now: Int64) {
        guard id == beacon, now >= begins else { return }
        switch kind {
        case .death: minute.level = -200
        case .step: minute.level -= decibels
        case .fade: minute.level -= min(decibels + 3, Double(now - begins) / 5)
        case .slowHalf: interval *= 2
        case .slowFifth: interval *= 5
        case .claim: minute.claim += 9
        case .battery: minute.battery = 12
        default: break
        }
    }

    func intrude(
        _ minute: inout BeaconMinute, on id: BeaconID, base: Double, scanner: Int, at now: Int64, _ chance: inout Chance
    ) {
        guard id == beacon, now >= begins else { return }
        let level = scanner == self.scanner || kind != .impostorElsewhere ? -65.0 : -90
        switch kind {
        case .impostorBeside, .impostorCopied:
            minute.returns += kind == .impostorBeside ? min(30, minute.count / 2) : 0
            minute.count *= 2
            minute.isIrregular = minute.count >= 12
            minute.interval = nil
            minute.jump += abs(level - minute.level) / 2
            minute.level = max(minute.level, level)
        case .impostorElsewhere where scanner == self.scanner:
            if minute.count == 0 { minute.interval = 0.5 }
            minute.count += 60
            minute.level = max(minute.count == 60 ? -200 : minute.level, level + chance.normal(1).rounded())
        default: break
        }
    }
}
