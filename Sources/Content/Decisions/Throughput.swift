/// Whether what comes over a connection comes fast enough to be waited for. Pure.
///
/// Only the time that the network was waited for counts, not that of the disk.
package struct Throughput: Sendable {
    /// Bytes a second.
    private let least: Int64
    private let window: Duration
    private var bytes: Int64 = 0
    private var waited = Duration.zero

    package init(least: Int64, window: Duration) {
        self.least = least
        self.window = window
    }

    /// Some bytes have come.
    ///
    /// - Parameter time: how long they were waited for.
    /// - Returns: the bytes a second of a whole window in which too few came; nil as long as all is well.
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
