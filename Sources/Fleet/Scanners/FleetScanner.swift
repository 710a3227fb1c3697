package import Beacon
package import FleetFormat
package import Rooms

/// A scanner of the fleet, as the outputs show it.
package struct FleetScanner: Hashable, Sendable {
    package enum State: String, Hashable, Sendable, CaseIterable {
        case ok
        /// It reports that it cannot receive.
        case blind
        /// It is offline, or has sent nothing for ten seconds.
        case gone
    }

    package var place: ScannerPlace
    package var state: State
    /// When the state began, by this program's clock.
    package var since: Timestamp
    package var version: String?
    /// The revision of the content site that it holds.
    package var revision: Int64?
    /// Whether its clock is synchronised; nil if unknown.
    package var isSynchronised: Bool?
    /// Counts of its messages.
    package var hearing: HearingMessage.Scanner

    /// Milliseconds to add to its clock; nil if unknown.
    package var clock: Int? { hearing.clock }

    package init(
        place: ScannerPlace, state: State, since: Timestamp, version: String? = nil, revision: Int64? = nil,
        isSynchronised: Bool? = nil, hearing: HearingMessage.Scanner = .init(second: nil, clock: nil)
    ) {
        self.place = place
        self.state = state
        self.since = since
        self.version = version
        self.revision = revision
        self.isSynchronised = isSynchronised
        self.hearing = hearing
    }
}
