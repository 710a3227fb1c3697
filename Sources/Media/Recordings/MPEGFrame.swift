/// The header of one frame of MPEG audio, layer III (ISO/IEC 11172-3 and 13818-3).
struct MPEGFrame: Hashable, Sendable {
    /// In octets, including the header.
    var length: Int
    /// The properties that all frames of a file share: version and sampling rate.
    var kind: UInt8

    private static let rates1 = [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let rates2 = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    private static let frequencies = [44_100, 48_000, 32_000]

    /// - Parameter header: four octets. The result is nil if they are not a valid header.
    init?(_ header: some Collection<UInt8>) {
        let octets = Array(header.prefix(4))
        guard octets.count == 4, octets[0] == 0xFF, octets[1] & 0xE0 == 0xE0, octets[1] & 0x06 == 0x02 else {
            return nil
        }
        let version = octets[1] >> 3 & 3
        let rate = Int(octets[2] >> 4)
        let frequency = Int(octets[2] >> 2 & 3)
        guard version != 1, (1...14).contains(rate), frequency < 3, octets[3] & 3 != 2 else { return nil }
        let isFirst = version == 3
        let bits = (isFirst ? Self.rates1 : Self.rates2)[rate - 1] * 1000
        let hertz = Self.frequencies[frequency] >> (isFirst ? 0 : version == 2 ? 1 : 2)
        length = (isFirst ? 144 : 72) * bits / hertz + Int(octets[2] >> 1 & 1)
        kind = octets[1] & 0x18 | octets[2] & 0x0C
    }
}
