import Glibc

/// The link from one transmitter to one receiver, with its current shadowing.
struct Link: Sendable {
    private var random: RandomSource
    private var shadow: (level: Double, time: Duration, offset: Position)?

    init(seed: UInt64, transmitter: TransmitterID, receiver: ReceiverID) {
        random = RandomSource(seed: seed, transmitter.number, receiver.number)
    }

    /// The level of one packet in dBm; nil if it is lost.
    ///
    /// - Parameter offset: the receiver's position relative to the transmitter.
    mutating func receive(
        _ levelAtOneMetre: Double, offset: Position, at now: Duration, _ propagation: Propagation
    ) -> Double? {
        let mean = propagation.level(atOneMetre: levelAtOneMetre, distance: offset.distance(to: Position(0, 0)))
        let level = mean + shadowing(offset: offset, at: now, propagation) + fading(propagation)
        let isDestroyed = propagation.loss > 0 && random.uniform() < propagation.loss
        return isDestroyed || level < propagation.sensitivity ? nil : level
    }

    /// A first-order Gauss-Markov process over the distance moved and the time since the last packet.
    private mutating func shadowing(offset: Position, at now: Duration, _ propagation: Propagation) -> Double {
        guard propagation.shadowing > 0 else { return 0 }
        var level = random.normal() * propagation.shadowing
        if let last = shadow {
            let way = offset.distance(to: last.offset) / max(0.01, propagation.shadowingDistance)
            let time = (now - last.time) / max(.milliseconds(1), propagation.shadowingTime)
            let correlation = exp(-way - max(0, time))
            level = correlation * last.level + sqrt(max(0, 1 - correlation * correlation)) * level
        }
        shadow = (level, now, offset)
        return level
    }

    /// The power in dB of a direct path plus scattered ones. Its mean in linear units is 1.
    private mutating func fading(_ propagation: Propagation) -> Double {
        guard let k = propagation.fadingK else { return 0 }
        let ratio = pow(10, k / 10)
        let direct = sqrt(ratio / (ratio + 1))
        let scattered = sqrt(1 / (2 * (ratio + 1)))
        let inPhase = direct + scattered * random.normal()
        let quadrature = scattered * random.normal()
        return 10 * log10(max(1e-6, inPhase * inPhase + quadrature * quadrature))
    }
}
