package import Curation

/// When the site changes by itself: an image is shown from `valid_from` on, until `valid_until`.
package struct SiteSchedule: Hashable, Sendable {
    /// Every boundary, each once, in ascending order.
    package let boundaries: [Moment]

    package init(_ documents: [DocumentID: Document]) {
        let moments = documents.values.compactMap(\.image).flatMap { [$0.validFrom, $0.validUntil] }
        boundaries = Set(moments.compactMap(\.self)).sorted()
    }

    /// The first boundary after `moment`; nil if nothing changes by itself any more.
    package func next(after moment: Moment) -> Moment? {
        boundaries.first { $0 > moment }
    }
}

extension ImageDocument {
    /// Whether the image's dates allow it to be shown at `moment`.
    package func isValid(at moment: Moment) -> Bool {
        (validFrom.map { $0 <= moment } ?? true) && (validUntil.map { moment < $0 } ?? true)
    }
}
