import HCI

/// Why a command is refused: the status of its Command Complete.
struct Refusal: Error {
    let status: ErrorCode

    static let unknownCommand = Refusal(status: .unknownCommand)
    static let memoryCapacityExceeded = Refusal(status: .memoryCapacityExceeded)
    static let commandDisallowed = Refusal(status: .commandDisallowed)
    static let unsupported = Refusal(status: .unsupportedFeatureOrParameter)
    static let invalidParameters = Refusal(status: .invalidParameters)
    static let unknownAdvertisingIdentifier = Refusal(status: .unknownAdvertisingIdentifier)
}

func require(_ condition: Bool, else refusal: Refusal) throws(Refusal) {
    guard condition else { throw refusal }
}
