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
    /// The same for time, if nothing moves except other people.
    package var shadowingTime: Duration
    /// Fast fading: the Rician K factor in dB, the power of the direct path relative to the scattered ones. A low value
    /// is rough: at 0 dB levels spread by about 4.5 dB, at 6 dB by 2.8 dB, with a tail towards weak levels. Nil for
    /// none.
    package var fadingK: Double?
    /// The share of packets that collisions and interference destroy, 0 to 1.
    package var loss: Double
    /// The weakest level that is received, in dBm.
    package var sensitivity: Double

    /// The defaults describe a room with visitors.
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

    /// The same, with path loss only: every packet arrives, and its level depends only on the distance.
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
