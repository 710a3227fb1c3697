import Console
import Events
import Ranging
import Serving
import Text

/// Rankings as JSON and as messages of the event stream, each made once for all clients.
final class RankingAnswers: Sendable {
    private let names: Names
    /// The names of the receivers, indexed by the number in a sighting; nil if there is only one.
    private let receivers: @Sendable () -> [String]?
    private let answer = SharedAnswer<UInt64>(WorkQueue("rankings"))

    init(names: Names, receivers: @escaping @Sendable () -> [String]?) {
        self.names = names
        self.receivers = receivers
    }

    /// - Parameter number: the ranking's number from the hub.
    func body(_ ranking: Ranking, isBlind: Bool, number: UInt64) async throws -> SharedBody {
        try await answer.body(for: number) { [names, receivers] _ in
            SharedBody(
                RankingText(names: names.all, receivers: receivers()).json(ranking, isBlind: isBlind),
                before: "event: ranging\ndata: ", after: "\n\n")
        }
    }
}
