import Beacon

/// The first difference between a received advertising payload and the one sent, in words.
package struct PayloadDifference: Hashable, Sendable, CustomStringConvertible {
    /// The position of the first difference, from 0. If only the lengths differ: the length of the shorter one.
    package var offset: Int
    private let sent: [UInt8]
    private let heard: [UInt8]

    /// Nil if they are equal.
    package init?(sent: [UInt8], heard: [UInt8]) {
        guard sent != heard else { return nil }
        offset = zip(sent, heard).enumerated().first { $0.element.0 != $0.element.1 }?.offset
            ?? min(sent.count, heard.count)
        self.sent = sent
        self.heard = heard
    }

    /// `octet 29 (measured power) is C5, C8 was sent`; octets are counted from 0.
    package var description: String {
        let field = Self.field(offset, in: sent).map { " (\($0))" } ?? ""
        switch (heard.indices.contains(offset), sent.indices.contains(offset)) {
        case (true, true): return "octet \(offset)\(field) is \(hexText([heard[offset]])), "
            + "\(hexText([sent[offset]])) was sent"
        case (false, _): return "octet \(offset)\(field) is missing, \(hexText([sent[offset]])) was sent"
        case (true, false): return "octet \(offset) is \(hexText([heard[offset]])), but only \(sent.count) were sent"
        }
    }

    /// The field of an octet in an iBeacon's payload; nil in other payloads.
    private static func field(_ offset: Int, in payload: [UInt8]) -> String? {
        var start = 0
        while start + 1 < payload.count, payload[start] > 0 {
            let end = start + 1 + Int(payload[start])
            guard offset >= end else { break }
            start = end
        }
        guard start + 1 < payload.count else { return nil }
        let isIBeacon = payload[(start + 1)...].starts(with: [0xFF, 0x4C, 0x00, 0x02, 0x15])
        switch offset - start {
        case 0: return "length of an AD structure"
        case 1: return "AD type"
        case 2 where payload[start + 1] == ADType.flags.rawValue: return "flags"
        case 2...3 where isIBeacon: return "company identifier"
        case 4...5 where isIBeacon: return "iBeacon's type and length"
        case 6...21 where isIBeacon: return "UUID"
        case 22...23 where isIBeacon: return "major"
        case 24...25 where isIBeacon: return "minor"
        case 26 where isIBeacon: return "measured power"
        default: return nil
        }
    }
}

/// Octets in the format of hcidump: `02 01 1A`.
package func hexText(_ bytes: [UInt8]) -> String {
    bytes.map { byte in
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }.joined(separator: " ")
}
