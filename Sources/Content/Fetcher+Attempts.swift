internal import Logging
import SiteFormat

// Limits the attempts of a request and its duration.
extension Fetcher {
    func repeating<Value>(
        _ attempt: () async throws(ContentError) -> Value
    ) async throws(ContentError) -> Value {
        let policy = RetryPolicy(
            pause: settings.attemptPause, maximum: Self.longestQuietPause,
            maximumRetryAfter: settings.maximumRetryAfter)
        var failures = 0
        while true {
            do throws(ContentError) {
                return try await attempt()
            } catch {
                failures += 1
                let delay = policy.delay(failures: failures, retryAfter: error.retryAfter, random: random())
                guard error.isTransient, error.code != .slow, failures < settings.attempts,
                    delay <= Self.longestQuietPause
                else {
                    throw error
                }
                logger.debug("trying again", metadata: ["error": "\(error)", "delay": "\(delay)"])
                guard (try? await time.sleep(delay)) != nil else { throw .cancelled(error.place) }
            }
        }
    }

    func limited<Value: Sendable>(
        _ limit: Duration, _ url: String, _ work: @escaping @Sendable () async throws -> Value
    ) async throws(ContentError) -> Value {
        let task = Task { try await work() }
        let deadline = deadlines.add(after: limit) { task.cancel() }
        defer { deadlines.remove(deadline) }
        do {
            return try await withTaskCancellationHandler {
                try await task.value
            } onCancel: {
                task.cancel()
            }
        } catch {
            if deadlines.hasPassed(deadline) {
                throw ContentError(
                    code: .timeout, place: url, cause: "it was not complete after \(limit)",
                    remedy: "check the network")
            }
            if let error = error as? ContentError { throw error }
            throw Task.isCancelled ? .cancelled(url) : ContentError(transport: error, url: url, settings: settings)
        }
    }
}
