/// Topics that the broker has retained from an earlier run, until it is known whether they are still valid. Pure.
package struct StrayTopics: Sendable {
    /// The maximum number of topics that are examined in one connection, because any client that may write there can
    /// retain any number of them.
    package static let most = 20_000

    /// Those of which it is not known yet.
    package private(set) var waiting: Set<String> = []
    /// How many topics of this connection were admitted.
    private var admitted = 0
    /// Whether topics of this connection were left alone.
    package private(set) var hasLeftOut = false
    /// How often a topic was examined, which shows how much work this is.
    package private(set) var examinations = 0

    /// - Returns: whether one more topic is examined. If not, it is left alone.
    mutating func admit() -> Bool {
        guard admitted < Self.most else {
            hasLeftOut = true
            return false
        }
        admitted += 1
        return true
    }

    /// Takes an admitted topic, which was examined.
    mutating func take(_ topic: String, isSettled: Bool) {
        examinations += 1
        if !isSettled { waiting.insert(topic) }
    }

    /// Everything that was waiting was examined.
    ///
    /// - Parameter settled: those of which it is known now.
    mutating func settle(_ settled: Set<String>) {
        examinations += waiting.count
        waiting.subtract(settled)
    }

    /// Starts a new connection. The broker sends its messages again.
    mutating func restart() {
        (waiting, admitted, hasLeftOut) = ([], 0, false)
    }
}
