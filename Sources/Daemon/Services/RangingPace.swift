import PrometheusMetrics
import Metrics
import Platform
import Radio
import Synchronization

/// Keeps ranging's time on a thread of its own: whatever clients, files and floods do to the other threads, the next
/// tick comes.
final class RangingPace: Sendable {
    /// Nil where no thread can be had: ranging then shares those of all tasks.
    private let thread = try? ThreadExecutor()
    private let gaps = Timer(label: Metric.tickGap.name)
    private let longest = Gauge(label: Metric.longestTickGap.name)
    private let last = Mutex<(tick: ContinuousClock.Instant?, longest: Duration)>((nil, .zero))

    /// Runs all of `body` on that thread, tasks below it included.
    func keep(_ body: @Sendable () async -> Void) async {
        await withTaskExecutorPreference(thread) { await body() }
    }

    /// Suspends for so long, or until the task is cancelled.
    func sleep(for duration: Duration) async {
        guard let thread else {
            try? await Task.sleep(for: duration)
            return
        }
        await thread.sleep(for: duration)
    }

    /// Ticks were left out on purpose: the time since the last one is no gap.
    func noteRest() {
        last.withLock { $0.tick = nil }
    }

    /// A tick begins.
    func noteTick() {
        let now = ContinuousClock.now
        let (gap, isLongest) = last.withLock { last -> (Duration?, Bool) in
            defer { last.tick = now }
            guard let tick = last.tick else { return (nil, false) }
            let gap = now - tick
            let isLongest = gap > last.longest
            if isLongest { last.longest = gap }
            return (gap, isLongest)
        }
        guard let gap else { return }
        gaps.record(duration: gap)
        if isLongest { longest.record(gap / .seconds(1)) }
    }
}
