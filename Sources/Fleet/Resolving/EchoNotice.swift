/// Decides when to report that the broker drops what a resolver publishes. A plain value.
///
/// A broker may acknowledge a message that it does not let a client publish (MQTT 3.1.1, section 3.3.5). The resolver
/// subscribes to its own topics, so its presence message has to come back.
struct EchoNotice: Sendable {
    /// Seconds of the resolver's own clock within which it must come back.
    static let longestWait = 20.0

    private let prefix: String
    private var waitingSince: Double?
    private var hasTold = false
    private var line = NoticeLine()

    init(prefix: String) {
        self.prefix = prefix
    }

    mutating func connect(at now: Double) { waitingSince = now }

    /// The resolver's presence message has come back.
    mutating func hear() {
        waitingSince = nil
        if hasTold { line.tell("the broker passes on what this program publishes again") }
        hasTold = false
    }

    mutating func look(at now: Double) {
        guard let since = waitingSince, now - since >= Self.longestWait, !hasTold else { return }
        hasTold = true
        line.tell("the broker does not pass on what this program publishes: let it publish below \(prefix)")
    }

    mutating func take() -> [String] { line.take() }
}
