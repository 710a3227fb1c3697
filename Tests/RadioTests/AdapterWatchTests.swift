import Radio
import Testing

@Suite("Watching adapters")
struct AdapterWatchTests {
    @Test("the time-out of one who waits leaves the others waiting", .timeLimit(.minutes(1)))
    func timeOut() async {
        let watch = AdapterWatch()
        let seen = watch.changes
        let (ends, continuation) = AsyncStream.makeStream(of: String.self)
        let long = Task {
            await watch.change(after: seen, within: .seconds(3600))
            continuation.yield("long")
        }
        let short = Task {
            await watch.change(after: seen, within: .milliseconds(20))
            continuation.yield("short")
            // Had the other one been woken, it would have come by now.
            await watch.change(after: seen, within: .milliseconds(200))
            long.cancel()
        }
        var order: [String] = []
        for await end in ends {
            order.append(end)
            if order.count == 2 { break }
        }
        #expect(order == ["short", "long"])
        await short.value
        #expect(long.isCancelled)
    }

    @Test("a wait ends at once where there were changes, and where the task is cancelled", .timeLimit(.minutes(1)))
    func atOnce() async {
        let watch = AdapterWatch()
        await watch.change(after: watch.changes - 1, within: .seconds(3600))
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            await watch.change(after: watch.changes, within: .seconds(3600))
        }
        await cancelled.value
        await watch.change(after: watch.changes, within: .zero)
    }
}
