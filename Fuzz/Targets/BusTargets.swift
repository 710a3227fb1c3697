import Bus

extension FuzzTarget {
    /// Messages of other programs on the bus.
    static let busMessage = FuzzTarget(
        "bus-message", words: ["a{sv}", "a{oa{sa{sv}}}", "org.bluez.Device1"], longestInput: 2048
    ) {
        try committedSeeds("bus-message")
    } check: { bytes in
        guard let message = try refusing({ try BusMessage(marshalled: bytes) }) else { return }
        try require(message.body.reduce(0) { $0 + $1.count } <= bytes.count, "more values than bytes")
        if let failure = message.failure {
            try require(failure.description.utf8.count < 2 * bytes.count + 200, "a long error")
        }
        // What holds a descriptor is received and never sent.
        guard let written = try refusing({ try message.marshalled(serial: message.serial) }) else { return }
        let again = try BusMessage(marshalled: written)
        try require(again.member == message.member && again.path == message.path, "another message")
        // Not by ==: NaN is not equal to itself.
        try require(again.body.map(\.typeSignature) == message.body.map(\.typeSignature), "values of other types")
    }
}

extension BusValue {
    /// The values in it that take bytes in a message; equal keys of a dictionary count once.
    fileprivate var count: Int {
        switch self {
        case .array(let values, _), .structure(let values): values.reduce(0) { $0 + $1.count }
        case .dictionary(let entries, _): entries.reduce(0) { $0 + $1.key.count + $1.value.count }
        case .variant(let value): 1 + value.count
        case .bytes(let bytes): bytes.count
        default: 1
        }
    }
}
