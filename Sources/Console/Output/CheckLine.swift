package import Text

/// The result of one check of `beaconctl doctor`, as text and as JSON.
package enum CheckLine {
    package enum Verdict: String, Sendable {
        case ok, warning, failure
    }

    /// The name of the check that another program runs for doctor.
    package static let site = "content site"

    package static func text(
        _ verdict: Verdict, _ check: String, _ detail: String, _ remedy: String, _ terminal: Terminal
    ) -> String {
        let mark =
            switch verdict {
            case .ok: terminal.styled(pad("ok", -7), .green)
            case .warning: terminal.styled(pad("warning", -7), .yellow)
            case .failure: terminal.styled(pad("FAILURE", -7), .bold)
            }
        // On a narrow terminal the details are below the check.
        let isNarrow = terminal.limit.map { $0 < 60 } ?? false
        let indent = isNarrow ? 9 : 25
        func lines(_ text: String) -> [String] {
            terminal.limit.map { wrapped(printable(text), $0 - indent) } ?? [printable(text)]
        }
        // A remedy is never wrapped, because it may be a command to copy.
        var below = remedy.isEmpty ? [] : [printable(remedy)]
        var first = "\(mark)  "
        if isNarrow {
            first += shortened(printable(check), max(1, (terminal.limit ?? 80) - indent))
            below = lines(detail) + below
        } else {
            let detail = lines(detail)
            first += "\(pad(printable(check), -14))  \(detail.first ?? "")"
            below = detail.dropFirst() + below
        }
        return ([first] + below.map { String(repeating: " ", count: indent) + $0 }).joined(separator: "\n")
    }

    package static func json(_ check: String, _ verdict: String, _ detail: String, _ remedy: String) -> String {
        var json = JSONText()
        json.object { json in
            json.value("check", check)
            json.value("verdict", verdict)
            json.value("detail", detail)
            json.value("remedy", remedy.isEmpty ? nil : remedy)
        }
        return json.text
    }

    /// The message if a signal ended the checks.
    ///
    /// - Parameter missing: the checks without a result.
    package static func interruption(before missing: [String]) -> String {
        missing.isEmpty
            ? "interrupted after the last check" : "interrupted before these checks: \(missing.joined(separator: ", "))"
    }

    /// The array with one more object.
    package static func joined(_ array: String, _ object: String) -> String {
        let rest = array.dropLast()
        return rest.hasSuffix("[") ? "\(rest)\(object)]" : "\(rest),\(object)]"
    }
}
