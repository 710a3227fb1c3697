extension Document {
    /// The name for people: in the first of these languages that has one, otherwise in any language. Empty if there is
    /// none.
    package func name(in languages: [Language]) -> String {
        switch self {
        case .beacon(let beacon): beacon.name.any(languages) ?? beacon.numbers ?? ""
        case .image(let image): image.title.any(languages) ?? ""
        case .media(let media): media.name
        case .plan(let plan): plan.name.any(languages) ?? plan.floor
        case .site(let site): site.title
        }
    }
}

extension BeaconDocument {
    /// `MAJOR.MINOR`, which identifies a beacon without a name.
    fileprivate var numbers: String? {
        guard let major, let minor else { return nil }
        return "\(major).\(minor)"
    }
}
