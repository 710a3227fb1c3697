import Console
import Text

/// Where people find the pages, or where the site is published: what links begin with.
struct PagesAddress {
    /// Without a slash at the end.
    let link: String
    let host: String

    /// - Parameter mayHavePath: whether more than a scheme, a host and a port is allowed.
    /// - Throws: `CommandFailure` if nobody could open a link that begins so.
    init(_ text: String, mayHavePath: Bool = false) throws(CommandFailure) {
        let example = "write it as https://content.museum.example"
        let link = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard let authority = Self.authority(of: link, mayHavePath: mayHavePath),
            let host = (try? HostPort(authority))?.host
        else { throw .usage("--address \(excerpt(text)) is no address of a server; \(example)") }
        if let problem = HostPort.problem(ofHost: host) {
            let remedy = problem == .letters ? problem.remedy : example
            throw .usage("--address: \"\(excerpt(host))\" \(problem.cause); \(remedy)")
        }
        self.link = link
        self.host = host
    }

    private static func authority(of link: String, mayHavePath: Bool) -> String? {
        for scheme in ["https://", "http://"] where link.hasPrefix(scheme) {
            let rest = link.dropFirst(scheme.count)
            let authority = rest.prefix { $0 != "/" }
            let isWhole = mayHavePath || authority.count == rest.count
            return isWhole && !authority.isEmpty && !authority.contains("@") ? String(authority) : nil
        }
        return nil
    }
}
