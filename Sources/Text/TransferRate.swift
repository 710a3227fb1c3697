/// The speed of a transfer and the time that remains. Time is in seconds on any clock.
package struct TransferRate: Sendable {
    /// The rate of the last seconds: older samples say nothing about the rest of the transfer.
    private static let window = 5.0

    private var samples: [(time: Double, bytes: Int64)] = []

    package init() {}

    /// Adds a sample: the bytes received so far, at this time. Smaller numbers (a restarted download) restart the
    /// measurement.
    package mutating func add(_ bytes: Int64, at time: Double) {
        if let last = samples.last, bytes < last.bytes || time < last.time { samples = [] }
        samples.append((time, bytes))
        // One sample older than the window is kept, so that the whole window is always covered.
        while samples.count > 2, samples[1].time <= time - Self.window { samples.removeFirst() }
    }

    /// Bytes per second; nil while unknown.
    package var bytesPerSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= 0.2 else { return nil }
        return Double(last.bytes - first.bytes) / (last.time - first.time)
    }

    /// `1.2 MiB/s, 0:42 left`; empty while unknown.
    ///
    /// - Parameter rest: the bytes that are still missing.
    package func text(rest: Int64) -> String {
        guard let rate = bytesPerSecond else { return "" }
        let speed = "\(ByteCount.text(Int64(min(rate, 1e15))))/s"
        guard rest > 0, rate >= 1 else { return speed }
        let seconds = Int(min(Double(rest) / rate, 359_999).rounded(.up))
        let minutes = "\(seconds / 60 % 60)".leftPadded(seconds >= 3600 ? 2 : 1)
        let clock = minutes + ":" + "\(seconds % 60)".leftPadded(2)
        return "\(speed), " + (seconds >= 3600 ? "\(seconds / 3600):\(clock)" : clock) + " left"
    }
}

extension String {
    fileprivate func leftPadded(_ width: Int) -> String {
        String(repeating: "0", count: max(0, width - count)) + self
    }
}
