import Curation
import Text

/// Nothing is published because of what the gate found.
package struct GateRefusal: ExplainedError, Hashable {
    /// A line for each finding that stands in the way: what, where in it, and why.
    package var lines: [String]

    package var problem: String {
        let shown = lines.prefix(Self.mostShown).joined(separator: "; ")
        let more = lines.count > Self.mostShown ? "; and \(lines.count - Self.mostShown) more" : ""
        return "the drafts cannot be published: \(shown)\(more)"
    }

    package var remedy: String { "correct them, or publish other documents only" }

    private static let mostShown = 10
}

extension PublishCheck {
    /// - Throws: `GateRefusal` if something stands in the way.
    package func demandReady() throws(GateRefusal) {
        let refusals = refusals
        guard !refusals.isEmpty else { return }
        let languages = documents[.site]?.site?.languages ?? [.english]
        throw GateRefusal(
            lines: refusals.map { finding in
                let document = documents[finding.document]
                let name = document?.name(in: languages) ?? ""
                let nameless = [document?.kind.rawValue, finding.document.text].compactMap(\.self)
                    .joined(separator: " ")
                return "\(name.isEmpty ? nameless : name): \(finding.field): \(finding.problem.english)"
            })
    }
}
