package import Beacon
import Radio

/// A source of sightings: a controller, bluetoothd, the emulated air, or a capture that is replayed.
package protocol SightingSource: AnyObject, Sendable {
    /// Its specification; for `auto`, that of the adapter that was found.
    var spec: SourceSpec { get }
    /// The source's own names for beacons (a scenario has some).
    var names: [BeaconID: String] { get }
    /// The counts so far, over all connections.
    var tally: SourceTally { get }
    /// The bluetoothd that has listed devices to it, by its unique name on the bus. The next source is told of it,
    /// because levels that are listed again may be old.
    var listedBy: String? { get }

    /// Connects, and passes on sightings until the source ends or the task is cancelled. It may be called again after
    /// an error: each call makes a new connection.
    func listen(into feed: SightingFeed, _ handlers: ListeningHandlers) async throws

    /// Suspends, without polling, until a missing adapter or service is there.
    ///
    /// - Throws: if the source cannot detect that.
    func waitUntilPresent() async throws
}

/// What a source reports while it listens.
package struct ListeningHandlers: Sendable {
    /// Called with `ok` once scanning is on, with `inDoubt` while a silent controller has not answered a test command,
    /// and with `blind` as soon as the source cannot receive.
    package var hearingChanged: @Sendable (Hearing) -> Void
    /// Called once scanning is on, with a short description of how.
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
    package var listedBy: String? { nil }

    package func waitUntilPresent() async throws {
        throw RadioError(.badSource, at: "source \"\(spec)\"", "does not report when an adapter is there")
    }
}
