/// Messages that the broker has to acknowledge, of which only some are under way at a time.
package struct Deliveries: Sendable {
    private static let mostUnderWay = 100

    /// By identifier.
    private var underWay: Set<Int32> = []

    package init() {}

    package var isEmpty: Bool { underWay.isEmpty }

    /// The broker has acknowledged one.
    package mutating func settle(_ identifier: Int32) { underWay.remove(identifier) }

    /// Publishes what waits, as much as may be under way. What can never be sent is left out.
    ///
    /// - Parameter next: the next message; nil if there is none.
    package mutating func send(
        _ client: MosquittoClient, next: () -> Publication?
    ) throws(BrokerProblem) {
        while !client.wantsToWrite, underWay.count < Self.mostUnderWay, let publication = next() {
            try publish(publication, client)
        }
    }

    package mutating func publish(_ publication: Publication, _ client: MosquittoClient) throws(BrokerProblem) {
        switch client.publish(publication, quality: 1) {
        case .success(let identifier): underWay.insert(identifier)
        case .failure(.unsendable): break
        case .failure(.lost(let code)): throw client.problem(code)
        }
    }
}
