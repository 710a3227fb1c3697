public import Text

/// What one check of `beaconctl doctor` found, as it is written.
public enum CheckLine {
    public enum Verdict: String, Sendable {
        case ok, warning, failure
    }

    public static func text(
        _ verdict: Verdict, _ check: String, _ detail: String, _ remedy: String, _ terminal: Terminal
    ) -> String {
        let mark =
            switch verdict {
            case .ok: terminal.styled(pad("ok", -7), .green)
            case .warning: terminal.styled(pad("warning", -7), .yellow)
            case .failure: terminal.styled(pad("FAILURE", -7), .bold)
            }
        let line = "\(mark)  \(pad(check, -14))  \(detail)"
        return remedy.isEmpty ? line : line + "\n" + String(repeating: " ", count: 25) + remedy
    }

    public static func json(_ check: String, _ verdict: String, _ detail: String, _ remedy: String) -> String {
        var json = JSONText()
        json.object { json in
            json.value("check", check)
            json.value("verdict", verdict)
            json.value("detail", detail)
            json.value("remedy", remedy.isEmpty ? nil : remedy)
        }
        return json.text
    }

    /// An array with one more object.
    public static func joined(_ array: String, _ object: String) -> String {
        let rest = array.dropLast()
        return rest.hasSuffix("[") ? "\(rest)\(object)]" : "\(rest),\(object)]"
    }
}
