package import Radio

/// What the places of a scene show, and when a broadcast that a controller has refused is tried again.
///
/// Pure. Times are since the scene's beginning.
package struct ShownBroadcasts: Sendable {
    private struct Place: Sendable {
        var shown: Broadcast?
        var retryAt = Duration.zero
    }

    /// The pause after a refusal. Another program that has caused it is soon done, as a rule.
    package static let pause = Duration.seconds(1)

    private var places: [Place]

    /// - Parameter places: how many there are. Nothing is shown at first.
    package init(places: Int) {
        self.places = Array(repeating: Place(), count: places)
    }

    /// The number of places.
    package var count: Int { places.count }

    /// Whether a place shows a broadcast.
    package func isShowing(_ index: Int) -> Bool { places[index].shown != nil }

    /// The places that are to be changed now.
    ///
    /// - Parameter wanted: what each place should show; nil for nothing.
    package func due(_ wanted: [Broadcast?], at now: Duration) -> [Int] {
        places.indices.filter { wanted[$0] != places[$0].shown && now >= places[$0].retryAt }
    }

    /// A place shows this now.
    package mutating func shows(_ broadcast: Broadcast?, at index: Int) {
        places[index] = Place(shown: broadcast)
    }

    /// The controller has refused to change a place. It shows nothing now.
    package mutating func refused(at index: Int, now: Duration) {
        places[index] = Place(shown: nil, retryAt: now + Self.pause)
    }

    /// There is one place less.
    package mutating func remove(place index: Int) {
        places.remove(at: index)
    }
}
