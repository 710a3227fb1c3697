package import Beacon
import Text

/// A time for which something was so.
package struct RecordedSpan: Sendable, Hashable, Identifiable {
    /// What was so.
    package enum Subject: Sendable, Hashable {
        /// Somebody recorded.
        case recording
        /// Nothing could be heard, so that silence meant nothing.
        case blind
        /// A beacon was present: from its first sighting to its last.
        case visit(BeaconID)
        /// A beacon was the nearest.
        case nearest(BeaconID)
        /// Some beacon of a region was present.
        case region(String)
    }

    /// Counts up within a recording. The same one may be told again, with a later end.
    package var id: Int
    package var subject: Subject
    package var begin: Timestamp
    /// Not before `begin`. While it goes on: up to when it is known.
    package var end: Timestamp

    package init(id: Int, subject: Subject, begin: Timestamp, end: Timestamp) {
        self.id = id
        self.subject = subject
        self.begin = begin
        self.end = max(begin, end)
    }

    /// Seconds from begin to end.
    package var seconds: Double { end.seconds(since: begin) }

    /// The part of it from one time to another; nil where there is none.
    package func clipped(to range: ClosedRange<Timestamp>) -> RecordedSpan? {
        guard begin <= range.upperBound, end >= range.lowerBound else { return nil }
        return RecordedSpan(
            id: id, subject: subject, begin: max(begin, range.lowerBound), end: min(end, range.upperBound))
    }
}
