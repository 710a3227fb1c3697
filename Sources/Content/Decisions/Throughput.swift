/// Whether data arrives over a connection fast enough to keep waiting for it. Pure.
///
/// Only the time spent waiting for the network counts, not the time spent on the disk.
package struct Throughput: Sendable {
    /// In bytes per second.
    private let least: Int64
    private let window: Duration
    private var bytes: Int64 = 0
    private var waited = Duration.zero

    package init(least: Int64, window: Duration) {
        self.least = least
        self.window = window
    }

    /// Records bytes that were received.
    ///
    /// - Parameter time: how long the network took to deliver them.
    /// - Returns: the rate of a complete window in bytes per second, if it is too low; otherwise nil.
    package mutating func received(_ count: Int, after time: Duration) -> Int64? {
        bytes += Int64(count)
        waited += time
        guard waited >= window else { return nil }
        defer { (bytes, waited) = (0, .zero) }
        let seconds = Double(waited.components.seconds) + Double(waited.components.attoseconds) * 1e-18
        let rate = Int64(Double(bytes) / max(seconds, 1e-3))
        return rate < least ? rate : nil
    }
}
