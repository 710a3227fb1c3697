package import Broker
import FleetFormat
import Platform
import Synchronization

/// Reads once what a broker retains about a fleet.
package enum FleetSurvey {
    /// After this time without a message, everything has been received.
    private static let quiet = Duration.seconds(0.8)
    /// The limit for a broker that keeps sending.
    private static let longest = Duration.seconds(5)

    private struct Reading {
        var view: FleetView
        var last = ContinuousClock.now
    }

    /// - Parameter readsLessons: whether to read what was taught, too.
    /// - Throws: `BrokerProblem` if the broker cannot be used, or `CancellationError`.
    package static func view(
        _ login: BrokerLogin, prefix: String, readsLessons: Bool = false
    ) async throws -> FleetView {
        let empty = FleetView(prefix: prefix, readsLessons: readsLessons)
        let reading = Mutex(Reading(view: empty))
        let (news, teller) = AsyncStream<BrokerVisitNews>.makeStream(bufferingPolicy: .bufferingNewest(10))
        var visit = BrokerVisit(login, subscriptions: empty.subscriptions) {
            teller.yield($0)
        } take: { topic, payload in
            reading.withLock { reading in
                reading.view.take(topic, payload)
                reading.last = .now
            }
        }
        visit.largestMessage = HearingMessage.mostBytes
        return try await visit.during {
            try await connected(news)
            let began = ContinuousClock.now
            reading.withLock { $0.last = began }
            while ContinuousClock.now - began < longest, ContinuousClock.now - reading.withLock({ $0.last }) < quiet {
                try await Task.sleep(for: .milliseconds(100))
            }
            return reading.withLock { $0.view }
        }
    }

    private static func connected(_ news: AsyncStream<BrokerVisitNews>) async throws {
        for await each in news {
            switch each {
            case .connected: return
            case .problem(let problem): throw problem
            case .arrived, .unsendable: break
            }
        }
        throw CancellationError()
    }
}
