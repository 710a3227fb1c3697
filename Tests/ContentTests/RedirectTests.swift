import Content
import SiteFormat
import Testing

@Suite struct RedirectTests {
    private func redirect(
        _ base: String, _ location: String?
    ) throws(ContentError) -> (url: String, mayAuthorize: Bool) {
        var settings = try ContentSettings(baseURL: base, directory: "/tmp")
        settings.allowedRedirectHosts = ["cdn.example.net"]
        return try settings.redirect(from: "\(base)/v1/site.json", location: location)
    }

    @Test(
        "the token may go to the same origin, and not to another port or host",
        arguments: [
            ("/v2/site.json", "https://content.example.org/v2/site.json", true),
            ("https://content.example.org:8443/x", "https://content.example.org:8443/x", false),
            ("//cdn.example.net/x", "https://cdn.example.net/x", false),
        ])
    func token(location: String, url: String, mayAuthorize: Bool) throws {
        let target = try redirect("https://content.example.org", location)
        #expect(target.url == url && target.mayAuthorize == mayAuthorize)
    }

    @Test("the token may go from http to https of the same host")
    func secured() throws {
        let target = try redirect("http://content.example.org", "https://content.example.org/x")
        #expect(target.url == "https://content.example.org/x" && target.mayAuthorize)
    }

    @Test("an IPv6 address is the same host in every spelling of its letters")
    func address() throws {
        let target = try redirect("https://[2001:db8::1]:8443", "https://[2001:DB8::1]:8443/x?y=[1]")
        #expect(target.mayAuthorize)
    }

    @Test(
        "other schemes, hosts, credentials, less security and impossible ports are refused",
        arguments: [
            nil, "", "ftp://192.0.2.7/x", "http://192.0.2.7/x", "https://user:password@192.0.2.7/x",
            "https://evil.example/x", "https://192.0.2.7@evil.example/x", "https://192.0.2.7:0/x",
            "https://192.0.2.7:99999/x", "https://[192.0.2.7]/x", "//[192.0.2.7]", "/" + String(repeating: "x", count: 8000),
        ] as [String?])
    func refused(location: String?) {
        let error = #expect(throws: ContentError.self) { try redirect("https://192.0.2.7", location) }
        #expect(error?.code == .redirect)
    }
}
