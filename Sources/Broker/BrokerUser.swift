/// The user of a connection to a broker. Everything is called on the connection's thread.
package protocol BrokerUser: AnyObject {
    /// Makes the client for the next connection.
    func client() throws(BrokerProblem) -> MosquittoClient
    /// Called when the broker has accepted the connection.
    func greet(_ client: MosquittoClient) throws(BrokerProblem)
    /// Takes an event from the broker, except its answer to the connection.
    func take(_ event: MosquittoClient.Event, _ client: MosquittoClient) throws(BrokerProblem)
    /// Sends what waits. Called while there is a connection, once a second and after every event.
    func feed(_ client: MosquittoClient) throws(BrokerProblem)
    /// Sends the last messages. `exchange` waits for the broker for at most this many seconds, reads and writes.
    func leave(
        _ client: MosquittoClient, exchange: (_ seconds: Double) throws(BrokerProblem) -> Void
    ) throws(BrokerProblem)
    /// Called when the connection is lost.
    func lose(_ problem: BrokerProblem)
    /// Whether messages of the broker can be taken now. If not, they wait in the kernel and at the broker. If there is
    /// no room for long, the connection ends until there is: the broker keeps the messages of a lasting session.
    var hasRoom: Bool { get }
    /// Reports a problem to people. Each problem is reported once until a connection has lasted.
    func tell(_ problem: BrokerProblem, retryingIn seconds: Double)
    /// Called when a connection has lasted after problems were reported.
    func tellMended()
}

extension BrokerUser {
    package var hasRoom: Bool { true }
}
