extension FuzzTarget {
    /// Every target, in the order of the data's path.
    package static let all: [FuzzTarget] = [
        advertisingPayload, hciEvent, h4Stream,
    ] + captures
}
