import Listening

/// The numbers that sightings know their sources by. A source keeps its number over every reload, so that levels of
/// two never mix.
struct SourceNumbers {
    /// Every source and every scanner that a capture names, of the daemon's whole life.
    let receivers = Receivers()

    /// - Returns: the sources with their numbers, and names that differ where one is listened to twice.
    func assign(_ sources: [SourceSpec]) -> [(name: String, number: UInt16, spec: SourceSpec)] {
        var seen: [String: Int] = [:]
        return sources.map { spec in
            let times = seen[spec.description, default: 0] + 1
            seen[spec.description] = times
            let name = times == 1 ? spec.description : "\(spec.description) (\(times))"
            return (name, receivers.number(ofSource: name), spec)
        }
    }
}
