/// Suspends until the task is cancelled.
package func untilCancelled() async {
    // A stream of nothing ends with its reader's task.
    let (nothing, continuation) = AsyncStream<Never>.makeStream()
    for await _ in nothing {}
    withExtendedLifetime(continuation) {}
}
