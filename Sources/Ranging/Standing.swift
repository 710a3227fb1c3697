import Beacon

/// One beacon's level as it stands until `due`, or until it is heard again.
struct Standing {
    /// From here on the standing has to be worked out anew; the first of all times where that is already so.
    var due = Timestamp(microseconds: .min)
    /// Nil without a level.
    var level: Level?
    /// dB from 1 m to here; nothing is weaker than no level.
    var loss = Double.infinity
    /// Level over measured power, with the allowance, less what silence costs, in dB. Who has the most is the nearest.
    var strength = -Double.infinity
    /// dB that the past adds (`ClaimEstimator`).
    var allowance = 0.0
    /// Readings that the level comes from.
    var count = 0
    /// dB² of the measured power.
    var powerVariance = 0.0
    /// dB by which it is heard stronger than its measured power on average.
    var bias = 0.0
    /// The receiver that the level is from.
    var source: SourceID = 0
    /// Heard recently enough to become the nearest.
    var isFresh = false

    /// Where it goes in the ranking.
    var remoteness: Remoteness {
        level == nil ? Remoteness(.withoutLevel) : Remoteness(isFresh ? .heard : .quiet, loss: loss)
    }
}
