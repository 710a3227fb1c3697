/// The names of a server, and the advice in its refusals.
package struct ServerIdentity: Sendable {
    /// The realm of its token, and the first part of its cookie's name.
    package var name: String
    /// Its name in a sentence: "the daemon".
    package var subject: String
    /// How a name of the host is added: follows "use its address or its name, or".
    package var hostRemedy: String

    /// The text about reading and changing in the description of its API.
    package var about: String
    /// The token that a client sends, for that description.
    package var token: String

    package init(name: String, subject: String, hostRemedy: String, about: String, token: String) {
        self.name = name
        self.subject = subject
        self.hostRemedy = hostRemedy
        self.about = about
        self.token = token
    }

    static let daemon = ServerIdentity(
        name: "beacond", subject: "the daemon", hostRemedy: "add the name to http.hosts in the configuration",
        about: "Over TCP everything can be read, over the Unix socket changed.",
        token: "The content of http.token_file. The Unix socket needs none.")
}
