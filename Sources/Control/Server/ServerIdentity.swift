/// What a server calls itself, and what its refusals advise.
package struct ServerIdentity: Sendable {
    /// The realm of its token, and the beginning of its cookie's name.
    package var name: String
    /// What it is called in a sentence: "the daemon".
    package var subject: String
    /// How a name of the host is added: follows "use its address or its name, or".
    package var hostRemedy: String

    package init(name: String, subject: String, hostRemedy: String) {
        self.name = name
        self.subject = subject
        self.hostRemedy = hostRemedy
    }

    static let daemon = ServerIdentity(
        name: "beacond", subject: "the daemon", hostRemedy: "add the name to http.hosts in the configuration")
}
