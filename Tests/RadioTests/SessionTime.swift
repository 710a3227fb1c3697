import Radio
import TestSupport

extension ManualClock {
    /// Lets a command's time-out of two seconds pass, in its steps.
    func passCommandLimit() async throws {
        for _ in 0..<Host.limitSteps {
            try await sleepers(1)
            advance(by: .seconds(2) / Host.limitSteps)
        }
    }

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
