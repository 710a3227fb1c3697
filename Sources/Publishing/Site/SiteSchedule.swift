package import Curation

/// When the site changes by itself: an image is shown from `valid_from` on, and no more from `valid_until` on.
package struct SiteSchedule: Hashable, Sendable {
    /// Every boundary once, ascending.
    package let boundaries: [Moment]

    package init(_ documents: [DocumentID: Document]) {
        let moments = documents.values.compactMap(\.image).flatMap { [$0.validFrom, $0.validUntil] }
        boundaries = Set(moments.compactMap(\.self)).sorted()
    }

    /// The first boundary later than `moment`; nil if nothing changes by itself any more.
    package func next(after moment: Moment) -> Moment? {
        boundaries.first { $0 > moment }
    }
}

extension ImageDocument {
    /// Whether it is shown at `moment`, as far as its dates go.
    package func isValid(at moment: Moment) -> Bool {
        (validFrom.map { $0 <= moment } ?? true) && (validUntil.map { moment < $0 } ?? true)
    }
}
