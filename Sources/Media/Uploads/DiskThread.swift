import Platform

/// The thread that writes uploads, because a disk may be slow.
private let diskThread = Result<ThreadExecutor, OwnThread.Failure> { () throws(OwnThread.Failure) in
    try ThreadExecutor()
}

func onDiskThread<Value: Sendable>(
    _ body: @Sendable () async throws(MediaError) -> Value
) async throws(MediaError) -> Value {
    let executor: ThreadExecutor
    do throws(OwnThread.Failure) { executor = try diskThread.get() } catch { throw MediaError(error) }
    return try await withTaskExecutorPreference(executor) { () async throws(MediaError) -> Value in try await body() }
}

/// Runs longer blocking work, such as decoding, on a thread of its own.
func onOwnThread<Value: Sendable>(
    _ body: @escaping @Sendable () throws(MediaError) -> Value
) async throws(MediaError) -> Value {
    let result: Result<Value, MediaError>
    do {
        result = try await OwnThread.run { Result { () throws(MediaError) in try body() } }
    } catch {
        throw MediaError(.system, "\(error)", arguments: ["\(error)"], remedy: "try again in a minute")
    }
    return try result.get()
}

extension MediaError {
    init(_ failure: OwnThread.Failure) {
        self.init(.system, failure.description, arguments: [failure.description], remedy: "try again in a minute")
    }
}
