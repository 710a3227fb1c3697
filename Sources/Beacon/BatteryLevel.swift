/// The battery level that a sender reports in its advertising payload or scan response: service data of the Battery
/// Service.
///
/// Core Specification Supplement, Part A, 1.11; Battery Service 1.1, section 3.1; Assigned Numbers, section 3.4.
package enum BatteryLevel {
    /// The level in percent; nil if the payload has none.
    package static func first(in payload: RawSpan) -> UInt8? {
        var structures = ADStructures()
        while let structure = structures.next(in: payload) {
            guard structure.type == .serviceData16, structure.data.count >= 3 else { continue }
            let start = structure.data.lowerBound
            guard payload.littleEndian16(at: start) == service else { continue }
            return level(payload.octet(at: start + 2))
        }
        return nil
    }

    /// The octet as a percentage; nil if it is greater than 100.
    package static func level(_ octet: UInt8) -> UInt8? { octet <= 100 ? octet : nil }

    /// The service's UUID.
    private static let service: UInt16 = 0x180F
}
