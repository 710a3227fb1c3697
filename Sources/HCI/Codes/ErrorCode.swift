/// A controller's answer to a command. An open set. Core Specification Vol 1, Part F.
package struct ErrorCode: RawRepresentable, Hashable, Sendable {
    package var rawValue: UInt8

    @inlinable
    package init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    package static let success = ErrorCode(rawValue: 0x00)
    package static let unknownCommand = ErrorCode(rawValue: 0x01)
    package static let unknownConnectionIdentifier = ErrorCode(rawValue: 0x02)
    package static let hardwareFailure = ErrorCode(rawValue: 0x03)
    package static let memoryCapacityExceeded = ErrorCode(rawValue: 0x07)
    package static let connectionAlreadyExists = ErrorCode(rawValue: 0x0B)
    package static let commandDisallowed = ErrorCode(rawValue: 0x0C)
    package static let unsupportedFeatureOrParameter = ErrorCode(rawValue: 0x11)
    package static let invalidParameters = ErrorCode(rawValue: 0x12)
    package static let unspecifiedError = ErrorCode(rawValue: 0x1F)
    package static let unknownAdvertisingIdentifier = ErrorCode(rawValue: 0x42)
    package static let limitReached = ErrorCode(rawValue: 0x43)
    package static let packetTooLong = ErrorCode(rawValue: 0x45)

    private static let names: [ErrorCode: String] = [
        .success: "Success", .unknownCommand: "Unknown HCI Command",
        .unknownConnectionIdentifier: "Unknown Connection Identifier", .hardwareFailure: "Hardware Failure",
        .memoryCapacityExceeded: "Memory Capacity Exceeded", .connectionAlreadyExists: "Connection Already Exists",
        .commandDisallowed: "Command Disallowed",
        .unsupportedFeatureOrParameter: "Unsupported Feature or Parameter Value",
        .invalidParameters: "Invalid HCI Command Parameters", .unspecifiedError: "Unspecified Error",
        .unknownAdvertisingIdentifier: "Unknown Advertising Identifier", .limitReached: "Limit Reached",
        .packetTooLong: "Packet Too Long",
    ]
}

extension ErrorCode: CustomStringConvertible {
    /// The Core Specification's name and the number: `Command Disallowed (0x0C)`.
    package var description: String {
        let digits = String(rawValue, radix: 16, uppercase: true)
        let number = "0x" + (digits.count == 1 ? "0" : "") + digits
        return Self.names[self].map { "\($0) (\(number))" } ?? "error \(number)"
    }
}
