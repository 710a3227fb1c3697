import Glibc

/// How the level falls with distance, and how the surroundings change it.
package struct Propagation: Hashable, Sendable {
    /// The path-loss exponent: the level falls by 10 × exponent dB per decade of distance. 2 in free space, 1.6 to 3.5
    /// indoors.
    package var exponent: Double
    /// Standard deviation in dB of slow shadowing by people and walls (log-normal).
    package var shadowing: Double
    /// Metres after which the correlation of the shadowing has fallen to 1/e. M. Gudmundson, "Correlation model for
    /// shadow fading in mobile radio systems", Electronics Letters 27 (1991).
    package var shadowingDistance: Double
    /// The same for time, where nothing moves but other people walk about.
    package var shadowingTime: Duration
    /// Fast fading: the Rician K factor in dB, the power of the direct path relative to the scattered ones. A low value
    /// is rough: at 0 dB levels spread by about 4.5 dB, at 6 dB by 2.8 dB, with a tail towards weak levels. Nil for
    /// none.
    package var fadingK: Double?
    /// The share of packets that collisions and interference destroy, 0 to 1.
    package var loss: Double
    /// The weakest level that is received, in dBm.
    package var sensitivity: Double

    /// The defaults are those of a room with visitors.
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

    /// The same with path loss only: every packet arrives, and its level depends only on the distance.
    package var withoutNoise: Propagation {
        Propagation(
            exponent: exponent, shadowing: 0, shadowingDistance: shadowingDistance, shadowingTime: shadowingTime,
            fadingK: nil, loss: 0, sensitivity: sensitivity)
    }

    /// The level in dBm at a distance in metres, before shadowing and fading. Below 10 cm it does not rise further.
    package func level(atOneMetre level: Double, distance: Double) -> Double {
        level - 10 * exponent * log10(max(0.1, distance))
    }
}

/// The link from one transmitter to one receiver, with its current shadowing.
struct Link: Sendable {
    private var random: RandomSource
    private var shadow: (level: Double, time: Duration, offset: Position)?

    init(seed: UInt64, transmitter: TransmitterID, receiver: ReceiverID) {
        random = RandomSource(seed: seed, transmitter.number, receiver.number)
    }

    /// The level of one packet in dBm; nil where it is lost.
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
