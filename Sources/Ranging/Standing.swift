import Beacon

/// One beacon's level and what follows from it, valid until `due` or until the beacon is received again.
struct Standing {
    /// When it has to be computed again; the smallest timestamp if that is already so.
    var due = Timestamp(microseconds: .min)
    /// The loss from 1 m to the receiver, in dB; infinity without a level.
    var loss = Double.infinity
    /// Level minus measured power, plus the allowance, minus the penalty for silence, in dB. The nearest beacon is
    /// decided by it.
    var strength = -Double.infinity
    /// dB that are added for what was learned about the beacon's claim (`ClaimEstimator`).
    var allowance = 0.0
    /// The number of readings that the level comes from.
    var count = 0
    /// dB² of the measured power.
    var powerVariance = 0.0
    /// dB by which it is received more strongly than its measured power says, on average.
    var bias = 0.0
    /// Nil without a level.
    var level: Level?
    /// The receiver that the level is from.
    var source: SourceID = 0
    /// Whether it was received recently enough to become the nearest.
    var isFresh = false

    /// Its place in the order of ranks.
    var remoteness: Remoteness {
        level == nil ? Remoteness(.withoutLevel) : Remoteness(isFresh ? .heard : .quiet, loss: loss)
    }
}
