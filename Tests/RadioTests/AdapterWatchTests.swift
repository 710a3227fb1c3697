import Radio
import Testing

@Suite("Watching adapters", .timeLimit(.minutes(10)))
struct AdapterWatchTests {
    @Test("the time-out of one who waits leaves the others waiting", .timeLimit(.minutes(10)))
    func timeOut() async {
        let watch = AdapterWatch()
        let seen = watch.changes
        let long = Task {
            await watch.change(after: seen, within: .seconds(3600))
            // Otherwise another's time-out has ended it.
            return Task.isCancelled
        }
        await watch.change(after: seen, within: .milliseconds(20))
        // Had the other one been woken, it would have returned by the end of a second wait.
        await watch.change(after: seen, within: .milliseconds(200))
        long.cancel()
        #expect(await long.value)
    }

    @Test("a wait ends at once where there were changes, and where the task is cancelled", .timeLimit(.minutes(10)))
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
