package import Beacon

/// The messages of a proxy that this client uses.
package enum ProxyMessage: Hashable, Sendable {
    package struct Advertisement: Hashable, Sendable {
        package var address: DeviceAddress
        package var isRandomAddress: Bool
        /// dBm.
        package var rssi: Int64
        /// AD structures; those of a scan response follow those of the advertisement.
        package var payload: [UInt8]

        package init(address: DeviceAddress, isRandomAddress: Bool, rssi: Int64, payload: [UInt8]) {
            self.address = address
            self.isRandomAddress = isRandomAddress
            self.rssi = rssi
            self.payload = payload
        }
    }

    case hello(major: UInt64, name: String)
    case login(isRefused: Bool)
    case disconnect
    case disconnected
    case ping
    case pong
    case device(name: String, version: String, proxyFeatures: UInt64)
    case advertisements([Advertisement])
    /// Whether the proxy's scanner runs.
    case scanner(isRunning: Bool)
    case other

    /// Proxies put up to 16 advertisements into a message.
    package static let mostAdvertisements = 1000
    /// The length of an extended advertisement, in octets.
    private static let longestPayload = 1650
    private static let longestText = 120

    /// Nil for an invalid message.
    package init?(_ frame: ProxyFrame) {
        let fields = Fields(frame.payload)
        guard let fields else { return nil }
        switch frame.type {
        case 2: self = .hello(major: fields.number(1), name: fields.text(4))
        case 4: self = .login(isRefused: fields.number(1) != 0)
        case 5: self = .disconnect
        case 6: self = .disconnected
        case 7: self = .ping
        case 8: self = .pong
        case 10: self = .device(name: fields.text(2), version: fields.text(4), proxyFeatures: fields.number(15))
        case 93:
            var advertisements: [Advertisement] = []
            for range in fields.all(1).prefix(Self.mostAdvertisements) {
                guard let advertisement = Self.advertisement(frame.payload, range) else { return nil }
                advertisements.append(advertisement)
            }
            self = .advertisements(advertisements)
        case 126: self = .scanner(isRunning: fields.number(1) == 2)
        default: self = .other
        }
    }

    private static func advertisement(_ octets: [UInt8], _ range: Range<Int>) -> Advertisement? {
        guard let fields = Fields(octets, in: range) else { return nil }
        let payload = fields.all(4).last.map { Array(octets[$0]) } ?? []
        return Advertisement(
            address: DeviceAddress(fields.number(1)), isRandomAddress: fields.number(3) & 1 == 1,
            rssi: Varint.zigzag(fields.number(2)), payload: Array(payload.prefix(longestPayload)))
    }

    /// The fields of one message. If a field occurs several times, the last one counts.
    private struct Fields {
        private let octets: [UInt8]
        private var fields: [ProtobufFields.Field] = []

        init?(_ octets: [UInt8], in range: Range<Int>? = nil) {
            self.octets = octets
            var reader = ProtobufFields(octets, in: range)
            while let field = reader.next() { fields.append(field) }
            if reader.isMalformed { return nil }
        }

        func number(_ wanted: UInt64) -> UInt64 {
            for field in fields.reversed() where field.number == wanted {
                if case .number(let value) = field.value { return value }
            }
            return 0
        }

        func all(_ wanted: UInt64) -> [Range<Int>] {
            fields.compactMap { field in
                guard field.number == wanted, case .octets(let range) = field.value else { return nil }
                return range
            }
        }

        func text(_ wanted: UInt64) -> String {
            all(wanted).last.map { String(decoding: octets[$0].prefix(ProxyMessage.longestText), as: UTF8.self) } ?? ""
        }
    }
}
