/// How fast something comes, and when it will be done. Time is in seconds on any clock.
package struct TransferRate: Sendable {
    /// The rate is that of the last seconds: what was minutes ago says nothing about what is left.
    private static let window = 5.0

    private var samples: [(time: Double, bytes: Int64)] = []

    package init() {}

    /// So many bytes were there at this time. Numbers that go back (a download began anew) start it again.
    package mutating func add(_ bytes: Int64, at time: Double) {
        if let last = samples.last, bytes < last.bytes || time < last.time { samples = [] }
        samples.append((time, bytes))
        // One that is older than the window stays, so that the window is always covered.
        while samples.count > 2, samples[1].time <= time - Self.window { samples.removeFirst() }
    }

    /// Bytes a second; nil while that cannot be said.
    package var bytesPerSecond: Double? {
        guard let first = samples.first, let last = samples.last, last.time - first.time >= 0.2 else { return nil }
        return Double(last.bytes - first.bytes) / (last.time - first.time)
    }

    /// `1.2 MiB/s, 0:42 left`; empty while that cannot be said.
    ///
    /// - Parameter rest: bytes that are still to come.
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
