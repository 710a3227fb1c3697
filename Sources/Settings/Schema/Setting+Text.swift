import Text
import YAMLText

extension Setting {
    /// Sets it to what a text says.
    ///
    /// - Returns: why it cannot be its value, to stand behind a name; nil where it can.
    func set(_ text: String, in values: inout SettingValues) -> String? {
        switch value {
        case .number(let range, let path):
            guard let number = Double(text), range.contains(number) else {
                return refusal(
                    of: text, "a number from \(Self.short(range.lowerBound)) to \(Self.short(range.upperBound))")
            }
            values[keyPath: path] = number
        case .count(let range, let path):
            guard let count = Self.count(text, range) else { return refusal(of: text, Self.wholeNumber(range)) }
            values[keyPath: path] = count
        case .limit(let range, let path):
            guard let count = Self.count(text, range) else { return refusal(of: text, Self.wholeNumber(range)) }
            values[keyPath: path] = count == 0 ? nil : count
        case .flag(let path):
            guard let flag = Self.flag(text) else { return refusal(of: text, "true or false") }
            values[keyPath: path] = flag
        case .openFlag(let path):
            guard let flag = Self.flag(text) else { return refusal(of: text, "true or false") }
            values[keyPath: path] = flag
        case .choice(let allowed, let path):
            guard allowed.contains(text) else {
                let words = allowed.joined(separator: ", ")
                return isAboutRanging
                    ? "is '\(excerpt(text))': allowed are \(words)" : refusal(of: text, "one of \(words)")
            }
            values[keyPath: path] = text
        case .text(let path), .file(let path):
            guard !text.isEmpty else { return "is empty" }
            values[keyPath: path] = text
        case .word(let path):
            guard !text.isEmpty else { return "is empty" }
            values[keyPath: path] = text
        case .texts(let path):
            guard !text.isEmpty else { return "is empty" }
            values[keyPath: path].append(text)
        case .table: break
        }
        return nil
    }

    private func refusal(of text: String, _ need: String) -> String {
        isAboutRanging ? "is '\(excerpt(text))': \(need) is needed" : "is \"\(excerpt(text))\", but must be \(need)"
    }

    private static func wholeNumber(_ range: ClosedRange<Int>) -> String {
        "a whole number from \(range.lowerBound) to \(range.upperBound)"
    }

    private static func count(_ text: String, _ range: ClosedRange<Int>) -> Int? {
        YAMLReader.integer(text).flatMap(Int.init(exactly:)).flatMap { range.contains($0) ? $0 : nil }
    }

    /// YAML 1.2 (core schema), and what people write in environment variables.
    private static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "on", "1": true
        case "false", "no", "off", "0": false
        default: nil
        }
    }
}
