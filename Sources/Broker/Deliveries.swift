/// Messages that the broker must acknowledge. Only a limited number of them are in flight at a time.
package struct Deliveries: Sendable {
    private static let mostUnderWay = 100

    /// The identifiers of the messages in flight.
    private var underWay: Set<Int32> = []

    package init() {}

    package var isEmpty: Bool { underWay.isEmpty }

    /// Notes that the broker has acknowledged a message.
    package mutating func settle(_ identifier: Int32) { underWay.remove(identifier) }

    /// Publishes waiting messages, as many as may be in flight. Messages that can never be sent are skipped.
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
