package import Beacon
package import Ranging

/// What a site has set about ranging and its beacons: `ranging:`, `regions:` and `beacons:` of the configuration.
package struct RangingConfiguration: Sendable, Equatable {
    /// All but what depends on the sources.
    package var settings = RangingSettings()
    /// Seconds between two rankings.
    package var interval = 0.5
    /// dB added to what a receiver reads, by its source as it stands in `sources`.
    package var receivers: [String: Double] = [:]
    /// Names, and who is expected.
    package var beacons = KnownBeacons()

    /// The defaults.
    package init() {}

    /// The settings for a run over these sources, whose places in the list are what sightings call their receivers.
    package func settings(for sources: [String]) -> RangingSettings {
        settings(for: sources.enumerated().map { (SourceID(place: $0), $1) })
    }

    /// The same where sources have IDs of their own.
    package func settings(for sources: [(id: SourceID, name: String)]) -> RangingSettings {
        var settings = settings
        for (id, name) in sources {
            guard let correction = receivers[name] else { continue }
            settings.receiverCorrections[id] = correction
        }
        return settings
    }
}
