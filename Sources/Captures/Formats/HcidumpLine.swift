import Beacon

/// The kind of a line of the text.
enum HcidumpLine {
    case start(Head)
    case continuation
    /// Begins like a packet but is not one.
    case broken
    case stray
    case empty

    struct Head {
        var time: Timestamp?
        var isReceived: Bool
        /// Where the hexadecimal begins.
        var octets: Int

        /// Whether the first octet is a packet type. The caller has already checked for hexadecimal there.
        func isPacket(in text: RawSpan) -> Bool {
            text.octet(at: octets) == UInt8(ascii: "0")
                && (UInt8(ascii: "1")...UInt8(ascii: "5")).contains(text.octet(at: octets + 1))
        }
    }

    init(_ text: RawSpan) {
        let end = text.byteCount
        var position = 0
        while position < end, text.octet(at: position) == UInt8(ascii: " ") { position += 1 }
        guard position < end else {
            self = .empty
            return
        }
        if position == 2, text.isHex(from: 2) {
            self = .continuation
            return
        }
        let time = HcidumpTime(text, at: position)
        if let time { position = time.end }
        guard position < end,
            text.octet(at: position) == UInt8(ascii: ">") || text.octet(at: position) == UInt8(ascii: "<")
        else {
            self = .stray
            return
        }
        guard position + 2 < end, text.octet(at: position + 1) == UInt8(ascii: " "), text.isHex(from: position + 2)
        else {
            self = .broken
            return
        }
        self = .start(
            Head(
                time: time?.value, isReceived: text.octet(at: position) == UInt8(ascii: ">"),
                octets: position + 2))
    }
}

/// A time stamp before the arrow: `1388534400.000250 ` or `2014-01-01 00:00:00.000250 `.
private struct HcidumpTime {
    var value: Timestamp
    /// The position after the blank that ends the time stamp.
    var end: Int

    init?(_ text: RawSpan, at start: Int) {
        var position = start
        func isBlank(at offset: Int) -> Bool {
            offset < text.byteCount && text.octet(at: offset) == UInt8(ascii: " ")
        }
        while position < text.byteCount, !isBlank(at: position) { position += 1 }
        if text.isDate(at: start), position == start + 10 {
            position += 1
            while position < text.byteCount, !isBlank(at: position) { position += 1 }
            let words = text.extracting(start..<position)
            guard isBlank(at: position), let value = Timestamp(rfc3339: words.string + "Z") else { return nil }
            self.value = value
        } else {
            let words = text.extracting(start..<position)
            guard isBlank(at: position), let value = Timestamp(secondsText: words) else { return nil }
            self.value = value
        }
        end = position + 1
    }
}

extension RawSpan {
    fileprivate func isDate(at start: Int) -> Bool {
        start + 10 < byteCount && octet(at: start + 4) == UInt8(ascii: "-")
            && octet(at: start + 7) == UInt8(ascii: "-")
    }

    /// Whether the text from `start` on consists only of pairs of hexadecimal digits with blanks between them.
    fileprivate func isHex(from start: Int) -> Bool {
        var position = start
        while position + 1 < byteCount {
            guard hexDigit(octet(at: position)) != nil, hexDigit(octet(at: position + 1)) != nil else { return false }
            position += 2
            while position < byteCount, octet(at: position) == UInt8(ascii: " ") {
                position += 1
                if position == byteCount { return true }
            }
            guard position == byteCount || octet(at: position - 1) == UInt8(ascii: " ") else { return false }
        }
        return position == byteCount && position > start
    }
}
