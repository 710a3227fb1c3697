import FoundationEssentials
import Text

/// Why a message of the fleet cannot be read. The text follows the message's name: "is no message of levels: …".
package struct FleetMessageError: Error, Hashable, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) {
        self.description = printable(description)
    }

    package static func decode<Wire: Decodable>(
        _ type: Wire.Type, _ json: [UInt8], as what: String
    ) throws(FleetMessageError) -> Wire {
        do {
            return try JSONDecoder().decode(type, from: Data(json))
        } catch {
            throw FleetMessageError("is no \(what): \(reason(error))")
        }
    }

    /// A decoder's error, without the details that are only for programmers.
    private static func reason(_ error: any Error) -> String {
        guard let error = error as? DecodingError else { return "unreadable" }
        switch error {
        case .keyNotFound(let key, _): return "\(excerpt(key.stringValue)) is missing"
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            let place = context.codingPath.map(\.stringValue).joined(separator: ".")
            return "\(place.isEmpty ? "the message" : excerpt(place)) has another type"
        default: return "it is not JSON"
        }
    }
}
