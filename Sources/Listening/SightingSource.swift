package import Beacon
import Radio

/// Who hears beacons: a controller, bluetoothd, the emulated air, or a capture that is replayed.
package protocol SightingSource: AnyObject, Sendable {
    /// What it is; for `auto` the adapter that was found.
    var spec: SourceSpec { get }
    /// What the source itself calls its beacons (a scenario does).
    var names: [BeaconID: String] { get }
    /// What was counted so far, over all connections.
    var tally: SourceTally { get }

    /// Connects and hands on sightings until the source ends or the task is cancelled. May be called again after it
    /// threw: each call is a fresh connection.
    func listen(into feed: SightingFeed, _ handlers: ListeningHandlers) async throws

    /// Suspends until what was missing is there, without asking again and again. Throws where that cannot be known.
    func waitUntilPresent() async throws
}

/// What a source reports while it listens.
package struct ListeningHandlers: Sendable {
    /// Called with `ok` once scanning is on, with `inDoubt` while a silent controller is asked whether it lives, and
    /// with `blind` as soon as hearing has failed.
    package var hearingChanged: @Sendable (Hearing) -> Void
    /// Called once scanning is on, with how it is done in a few words.
    package var started: @Sendable (_ how: String) -> Void

    package init(
        hearingChanged: @escaping @Sendable (Hearing) -> Void = { _ in },
        started: @escaping @Sendable (_ how: String) -> Void = { _ in }
    ) {
        self.hearingChanged = hearingChanged
        self.started = started
    }
}

extension SightingSource {
    package var names: [BeaconID: String] { [:] }

    package func waitUntilPresent() async throws {
        throw RadioError(.badSource, at: "source \"\(spec)\"", "is not bluetoothd's")
    }
}
