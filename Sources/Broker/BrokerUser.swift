/// What is done over a connection to a broker. Everything is called on the connection's thread.
package protocol BrokerUser: AnyObject {
    /// A client for the next connection.
    func client() throws(BrokerProblem) -> MosquittoClient
    /// The broker has accepted the connection.
    func greet(_ client: MosquittoClient) throws(BrokerProblem)
    /// Something has come from the broker. Its answer to the connection is not among it.
    func take(_ event: MosquittoClient.Event, _ client: MosquittoClient) throws(BrokerProblem)
    /// Sends what waits, while there is a connection: once a second, and after everything that happens.
    func feed(_ client: MosquittoClient) throws(BrokerProblem)
    /// Says goodbye. `exchange` waits for the broker for so many seconds at most, reads and writes.
    func leave(
        _ client: MosquittoClient, exchange: (_ seconds: Double) throws(BrokerProblem) -> Void
    ) throws(BrokerProblem)
    /// The connection is lost.
    func lose(_ problem: BrokerProblem)
    /// Whether what the broker sends can be taken now. If not, it waits in the kernel and at the broker.
    var hasRoom: Bool { get }
    /// Tells people of a problem. Each is told once until a connection has lasted.
    func tell(_ problem: BrokerProblem, retryingIn seconds: Double)
    /// A connection has lasted after problems were told.
    func tellMended()
}

extension BrokerUser {
    package var hasRoom: Bool { true }
}
