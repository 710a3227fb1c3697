import Glibc

/// How the level falls on its way and what the surroundings do to it.
package struct Propagation: Hashable, Sendable {
    /// Of the path loss, 10 × exponent dB per decade of distance: 2 in free space, 1.6 to 3.5 indoors.
    package var exponent: Double
    /// Standard deviation in dB of slow shadowing by people and walls (log-normal).
    package var shadowing: Double
    /// Metres after which shadowing has kept 1/e of its correlation. M. Gudmundson, "Correlation model for shadow
    /// fading in mobile radio systems", Electronics Letters 27 (1991).
    package var shadowingDistance: Double
    /// The same for time where nothing moves, as others walk about.
    package var shadowingTime: Duration
    /// Fast fading: the Rician K factor in dB, the direct ray against all that is scattered. Little is rough: at 0 dB
    /// levels spread by about 4.5 dB, at 6 dB by 2.8 dB, always with a tail to the weak side. Nil is none.
    package var fadingK: Double?
    /// The share of packets that collisions and interference destroy, 0 to 1.
    package var loss: Double
    /// What is weaker is not heard, in dBm.
    package var sensitivity: Double

    /// The defaults are those of a room with visitors in it.
    package init(
        exponent: Double = 2.2, shadowing: Double = 2.5, shadowingDistance: Double = 2,
        shadowingTime: Duration = .seconds(20), fadingK: Double? = 6, loss: Double = 0.05, sensitivity: Double = -96
    ) {
        self.exponent = exponent
        self.shadowing = shadowing
        self.shadowingDistance = shadowingDistance
        self.shadowingTime = shadowingTime
        self.fadingK = fadingK
        self.loss = loss
        self.sensitivity = sensitivity
    }

    /// Path loss alone: every packet arrives, and its level tells the distance.
    package var withoutNoise: Propagation {
        Propagation(
            exponent: exponent, shadowing: 0, shadowingDistance: shadowingDistance, shadowingTime: shadowingTime,
            fadingK: nil, loss: 0, sensitivity: sensitivity)
    }

    /// The level in dBm at a distance in metres, before shadowing and fading. Nearer than 10 cm it does not rise.
    package func level(atOneMetre level: Double, distance: Double) -> Double {
        level - 10 * exponent * log10(max(0.1, distance))
    }
}

/// The way from one sender to one receiver, with the shadow that lies on it.
struct Link: Sendable {
    private var random: RandomSource
    private var shadow: (level: Double, time: Duration, offset: Position)?

    init(seed: UInt64, transmitter: TransmitterID, receiver: ReceiverID) {
        random = RandomSource(seed: seed, transmitter.number, receiver.number)
    }

    /// The level of one packet in dBm, or nil where it is lost.
    ///
    /// - Parameter offset: the receiver's place as seen from the sender.
    mutating func receive(
        _ levelAtOneMetre: Double, offset: Position, at now: Duration, _ propagation: Propagation
    ) -> Double? {
        let mean = propagation.level(atOneMetre: levelAtOneMetre, distance: offset.distance(to: Position(0, 0)))
        let level = mean + shadowing(offset: offset, at: now, propagation) + fading(propagation)
        let isDestroyed = propagation.loss > 0 && random.uniform() < propagation.loss
        return isDestroyed || level < propagation.sensitivity ? nil : level
    }

    /// A first-order Gauss-Markov process over the way and the time since the last packet.
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

    /// The power in dB of a direct ray and scattered ones around it, together 1 on average.
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
