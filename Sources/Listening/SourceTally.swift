package import HCI
package import Radio

/// What a source counts, over all connections.
package struct SourceTally: Sendable {
    /// How much was decoded.
    package var counts = DecodingCounts()
    /// Packets lost before they could be read, because this program was too slow.
    package var overruns = 0
    /// What other programs did to the scan.
    package var interference = Interference()
    /// The recovery steps, and the commands that failed.
    package var trouble = ControllerTrouble()

    package init() {}

    package static func += (left: inout SourceTally, right: SourceTally) {
        left.counts += right.counts
        left.overruns += right.overruns
        left.interference += right.interference
        left.trouble += right.trouble
    }
}
