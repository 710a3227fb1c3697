package import Beacon
import Text

/// A time during which one condition held.
package struct RecordedSpan: Sendable, Hashable, Identifiable {
    package enum Subject: Sendable, Hashable {
        /// The daemon or a program recorded.
        case recording
        /// The scanner was blind, so a silent beacon may still have been present.
        case blind
        /// A beacon was present: from its first sighting to its last.
        case visit(BeaconID)
        /// A beacon was the nearest.
        case nearest(BeaconID)
        /// At least one beacon of a region was present.
        case region(String)
    }

    /// Counts up within a recording. The same span may be reported again with a later end.
    package var id: Int
    package var subject: Subject
    package var begin: Timestamp
    /// Not before `begin`. For an open span: up to when it is known.
    package var end: Timestamp

    package init(id: Int, subject: Subject, begin: Timestamp, end: Timestamp) {
        self.id = id
        self.subject = subject
        self.begin = begin
        self.end = max(begin, end)
    }

    package var seconds: Double { end.seconds(since: begin) }

    /// The part inside a range of time; nil if there is none.
    package func clipped(to range: ClosedRange<Timestamp>) -> RecordedSpan? {
        guard begin <= range.upperBound, end >= range.lowerBound else { return nil }
        return RecordedSpan(
            id: id, subject: subject, begin: max(begin, range.lowerBound), end: min(end, range.upperBound))
    }
}
