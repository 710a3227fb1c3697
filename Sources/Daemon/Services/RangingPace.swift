import PrometheusMetrics
import Metrics
import Platform
import Radio
import Synchronization

/// Keeps the time of ranging on a thread of its own. The next tick comes on time whatever clients, files and floods of
/// packets do to the other threads.
final class RangingPace: Sendable {
    /// Nil if no thread can be created. Ranging then shares the threads of all tasks.
    private let thread = try? ThreadExecutor()
    private let gaps = Timer(label: Metric.tickGap.name)
    private let longest = Gauge(label: Metric.longestTickGap.name)
    private let last = Mutex<(tick: ContinuousClock.Instant?, longest: Duration)>((nil, .zero))

    /// Runs all of `body` on that thread, including its child tasks.
    func keep(_ body: @Sendable () async -> Void) async {
        await withTaskExecutorPreference(thread) { await body() }
    }

    /// Suspends for this time, or until the task is cancelled.
    func sleep(for duration: Duration) async {
        guard let thread else {
            try? await Task.sleep(for: duration)
            return
        }
        await thread.sleep(for: duration)
    }

    /// Notes that ticks were left out on purpose: the time since the last one does not count as a gap.
    func noteRest() {
        last.withLock { $0.tick = nil }
    }

    /// Notes that a tick begins.
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
