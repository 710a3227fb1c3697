import Beacon
import Listening

/// The IDs of sources in sightings. A source keeps its ID over every reload, so that the levels of two sources never
/// mix.
struct SourceIDs {
    /// Every source, and every scanner that a capture names, since the daemon's start.
    let receivers = Receivers()

    /// - Returns: the sources with their IDs. Their names differ even if one source is configured twice.
    func assign(_ sources: [SourceSpec]) -> [(name: String, id: SourceID, spec: SourceSpec)] {
        var seen: [String: Int] = [:]
        return sources.map { spec in
            let times = seen[spec.description, default: 0] + 1
            seen[spec.description] = times
            let name = times == 1 ? spec.description : "\(spec.description) (\(times))"
            return (name, receivers.id(ofSource: name), spec)
        }
    }
}
