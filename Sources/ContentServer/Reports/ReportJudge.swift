package import CurationStore
import Platform
import Text

/// Decides what becomes of a message of a device.
///
/// Pure: the seconds of a clock come in.
package struct ReportJudge: Sendable {
    package enum Verdict: Hashable, Sendable {
        /// Its report is read and stored.
        case take(host: String, json: [UInt8])
        case refuse(String)
    }

    package enum Failure: Hashable, Sendable {
        /// This report will never be taken.
        case refuse(String)
        /// It may be taken after so many seconds.
        case again(after: Double, String)
    }

    private let topics: ReportTopics
    private var minute = 0
    private var counts: [String: Int] = [:]
    private var backoff = Backoff(longest: 60)

    /// Reports of a device in a minute. After a day without this server all come at once, up to 8,640 of a device that
    /// reports every 10 s. Further ones are refused, so that one device cannot use up what the store takes from all.
    package static let mostOfDevice = 10_000
    private static let mostDevices = 10_000

    package init(_ topics: ReportTopics) {
        self.topics = topics
    }

    /// - Parameters:
    ///   - payload: nil if it is too large.
    ///   - now: seconds of a clock that is never set.
    package mutating func judge(topic: String, payload: [UInt8]?, isRetained: Bool, at now: Double) -> Verdict {
        guard let host = topics.host(of: topic) else { return .refuse("this is no topic of a device") }
        guard let payload else { return .refuse("a report has at most 1 MiB") }
        // It comes again with each connection, and is counted again once the first has been forgotten.
        guard !isRetained else { return .refuse("reports are not retained; clear it at the broker") }
        let current = Int(now / 60)
        if current != minute { (minute, counts) = (current, [:]) }
        guard counts[host] != nil || counts.count < Self.mostDevices else { return .refuse("too many devices report") }
        counts[host, default: 0] += 1
        guard counts[host, default: 0] <= Self.mostOfDevice else {
            return .refuse("more than \(Self.mostOfDevice) reports in a minute")
        }
        return .take(host: host, json: payload)
    }

    /// The report was stored.
    package mutating func hasStored() { backoff.reset() }

    /// - Parameter error: why it was not stored.
    package mutating func failure(_ error: StoreError) -> Failure {
        switch error.code {
        case .tooOften: .again(after: Double(error.retryAfter ?? 60), error.description)
        case .busy, .full, .unusable, .interrupted: .again(after: backoff.next(), error.description)
        default: .refuse(error.description)
        }
    }
}
