import Beacon
import Listening

/// The IDs that sightings know their sources by. A source keeps its ID over every reload, so that levels of
/// two never mix.
struct SourceIDs {
    /// Every source and every scanner that a capture names, of the daemon's whole life.
    let receivers = Receivers()

    /// - Returns: the sources with their IDs, and names that differ where one is listened to twice.
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
