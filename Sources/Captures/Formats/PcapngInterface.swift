import Beacon

/// The content of an Interface Description Block (section 4.2 of the draft).
struct PcapngInterface: Sendable {
    var linkType: UInt16
    var snapLength: Int
    /// Nil if it has none.
    var name: String?
    /// In `InterfaceNames`.
    var number: UInt16 = 0
    private var resolution = Resolution(exponent: 6)
    /// Seconds to add to every time stamp.
    private var timeOffset: Int64 = 0

    /// How to convert time stamps to microseconds.
    private enum Resolution {
        case multiplied(by: UInt64)
        case divided(by: UInt64)
        /// The unit is 2^-exponent seconds.
        case binary(exponent: Int)

        /// The unit is 10^-exponent seconds.
        init(exponent: Int) {
            let factor = (0..<min(19, abs(exponent - 6))).reduce(UInt64(1)) { value, _ in value * 10 }
            if exponent <= 6 {
                self = .multiplied(by: factor)
            } else {
                // The unit is so small that 64 bits of it are less than a microsecond.
                self = exponent > 25 ? .multiplied(by: 0) : .divided(by: factor)
            }
        }
    }

    /// - Parameter body: the block without its type and lengths. Returns nil if its options run past the end of the
    ///   block.
    init?(_ body: RawSpan, _ order: ByteOrder) {
        linkType = order.read16(body, at: 0)
        snapLength = Int(order.read32(body, at: 4))
        var position = 8
        while position + 4 <= body.byteCount {
            let code = order.read16(body, at: position)
            let length = Int(order.read16(body, at: position + 2))
            let value = position + 4
            guard code != 0 else { break }
            guard value + length <= body.byteCount else { return nil }
            if code == 2, length > 0 {  // if_name
                name = body.extracting(value..<value + length).string
            } else if code == 9, length == 1 {  // if_tsresol
                let octet = body.octet(at: value)
                resolution = octet < 0x80 ? Resolution(exponent: Int(octet)) : .binary(exponent: Int(octet & 0x7F))
            } else if code == 14, length == 8 {  // if_tsoffset
                timeOffset = Int64(bitPattern: order.read64(body, at: value))
            }
            position = value + (length + 3) / 4 * 4
        }
    }

    func time(_ units: UInt64) -> Timestamp {
        let microseconds =
            switch resolution {
            case .multiplied(let factor): UInt128(units) * UInt128(factor)
            case .divided(let divisor): UInt128(units / divisor)
            case .binary(let exponent): (UInt128(units) * 1_000_000) >> exponent
            }
        let shift = timeOffset.multipliedReportingOverflow(by: 1_000_000)
        let sum = Int64(clamping: microseconds).addingReportingOverflow(shift.partialValue)
        return Timestamp(microseconds: shift.overflow || sum.overflow ? .max : sum.partialValue)
    }
}
