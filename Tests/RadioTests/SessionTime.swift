import TestSupport

extension ManualClock {
    /// Lets time pass in the steps in which a session looks after its controller, until the task is cancelled.
    func pass() -> Task<Void, any Error> {
        Task {
            while true {
                try await sleepers(1)
                advance(by: .milliseconds(250))
            }
        }
    }
}
