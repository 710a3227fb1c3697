/// Decides when to report that there is no checkpoint. A plain value.
package struct CheckpointNotice: Sendable {
    private var hasFitted = true
    private var line = NoticeLine()

    package init() {}

    /// Called at the end of each minute.
    ///
    /// - Parameter parts: the number of parts of the checkpoint; 0 if it does not fit.
    package mutating func look(parts: Int, beacons: Int) {
        let fits = parts > 0
        if !fits, hasFitted {
            line.tell(
                "what is known about \(beacons) beacons is too much for a checkpoint: a resolver that is started "
                    + "beside it answers after \(FleetResolver.apprenticeship) s; divide the beacons (--shard 1/2 "
                    + "and --shard 2/2)")
        }
        hasFitted = fits
    }

    package mutating func take() -> [String] { line.take() }
}
