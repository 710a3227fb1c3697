/// One measurement and its limit, in the same unit.
struct Row {
    var name: String
    var value: Double
    var limit: Double
    var unit: String
    var detail = ""

    var isMet: Bool { value <= limit }

    /// The names and details are written in this program: nothing in them needs escapes.
    var json: String {
        #"{"what":"\#(name)","value":\#(value),"limit":\#(limit),"unit":"\#(unit)","detail":"\#(detail)"}"#
    }

    var text: String {
        let name = name + String(repeating: " ", count: max(0, 62 - name.count))
        return "\(isMet ? "ok  " : "MISS")  \(name)  \(rounded(value)) \(unit)  (limit \(rounded(limit)))  \(detail)"
    }
}

/// Three significant digits, roughly.
func rounded(_ value: Double) -> String {
    let scale = value.magnitude >= 100 ? 1.0 : value.magnitude >= 1 ? 100 : 10_000
    return "\((value * scale).rounded() / scale)"
}

extension Duration {
    var microseconds: Double {
        Double(components.seconds) * 1e6 + Double(components.attoseconds) / 1e12
    }
}
