/// The interval at which a beacon sends, estimated from the gaps between the received packets. A lost packet makes a
/// gap a multiple of the interval, never shorter.
package enum AdvertisingInterval: Hashable, Sendable {
    /// Seconds.
    case regular(Double)
    /// The gaps are not multiples of one interval: several senders, or a scanner that holds packets back.
    case irregular
    /// Too few gaps, or nearly all packets were lost.
    case unknown

    /// The number of gaps that is enough for an estimate.
    package static let enough = 12
    /// Seconds: no beacon sends faster (Core Specification Vol 6, Part B, 4.4.2.2). A packet that comes sooner is a
    /// copy.
    package static let shortest = 0.015

    /// - Parameter gaps: seconds, in any order.
    package init(gaps: [Double]) {
        let gaps = gaps.filter { $0 >= Self.shortest && $0.isFinite }.sorted()
        guard gaps.count >= Self.enough else {
            self = .unknown
            return
        }
        // Unless nearly all packets are lost, at least a tenth of the gaps contains no lost packet.
        let short = gaps[gaps.count / 10]
        let single = gaps.prefix { $0 < 1.5 * short }.filter { $0 > 0.7 * short }
        guard 10 * single.count >= gaps.count else {
            self = .unknown
            return
        }
        // Each packet is sent up to 10 ms late, so the median is better than the shortest.
        let interval = single[single.count / 2]
        var multiples = 0
        var counted = 0
        for gap in gaps {
            let ratio = gap / interval
            // A longer gap may be any multiple.
            guard ratio < 6.5 else { continue }
            counted += 1
            let nearest = max(1, ratio.rounded())
            if abs(ratio - nearest) <= 0.12 + 0.02 * nearest { multiples += 1 }
        }
        self = 10 * multiples >= 7 * counted ? .regular(interval) : .irregular
    }
}
