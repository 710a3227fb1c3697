/// Suspends until the task is cancelled.
package func untilCancelled() async {
    // An empty stream ends when its reader's task is cancelled.
    let (nothing, continuation) = AsyncStream<Never>.makeStream()
    for await _ in nothing {}
    withExtendedLifetime(continuation) {}
}
