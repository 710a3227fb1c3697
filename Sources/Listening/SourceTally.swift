package import HCI
package import Radio

/// What a source counts, over all connections.
package struct SourceTally: Sendable {
    /// What passed through.
    package var counts = DecodingCounts()
    /// Packets lost before they could be read, because this program was too slow.
    package var overruns = 0
    /// What other programs did to the scan.
    package var interference = Interference()
    /// What was done about the controller, and what it refused.
    package var trouble = ControllerTrouble()

    package init() {}

    package static func += (left: inout SourceTally, right: SourceTally) {
        left.counts += right.counts
        left.overruns += right.overruns
        left.interference += right.interference
        left.trouble += right.trouble
    }
}
