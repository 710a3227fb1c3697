import Beacon
import Content
import YAMLText

extension ContentSettings {
    /// The settings below `content`; nil where there is no site, or where something is wrong, which is then noted.
    init?(_ values: inout Values, directory: String) {
        let publicKeys = values.each(.publicKeys) { try Self.key($0.text) }
        let pinned = values.each(.pinned) { try DaemonConfiguration.beacon($0.text) }
        let authorityFile = values.pemFile(.authorityFile, holding: "CERTIFICATE")
        let pinnedKeys = values.each(.pinnedKeys) { try Self.pinnedKey($0.text) }
        let environment = values.environment
        let proxy = values.text(.proxy)
        let proxies = values.reading(.proxy) { try Self.proxy(proxy, environment: environment) }
        let token = values.secret(.tokenFile, credential: "content-token")
        guard let baseURL = values.text(.baseURL),
            var settings = values.reading(.baseURL, {
                try ContentSettings(baseURL: baseURL, directory: directory, token: token)
            })
        else { return nil }
        if token != nil, let host = Self.plainHost(of: baseURL), !LoopbackHost.isMeant(by: host) {
            values.warn(.baseURL, "whoever is on the way to \(host) can read the token: use https")
        }
        settings.publicKeys = publicKeys
        settings.pinned = Set(pinned)
        if let proxies { settings.proxy = proxies }
        if let prefetch = values.text(.prefetch) { settings.prefetch = Prefetch(rawValue: prefetch) }
        if let seconds = values.number(.syncInterval) {
            settings.syncInterval = .seconds(seconds)
            settings.revalidationInterval = .seconds(seconds)
        }
        if let quota = values.integer(.quota) { settings.quotaBytes = quota == 0 ? nil : Int64(quota) }
        if let images = values.integer(.maximumImages) { settings.maximumImages = images }
        if let transfers = values.integer(.parallelTransfers) { settings.parallelTransfers = transfers }
        if let manifests = values.integer(.parallelManifests) { settings.parallelManifests = manifests }
        settings.allowedRedirectHosts = Set((values.texts(.redirectHosts) ?? []).map { $0.lowercased() })
        settings.authorityFile = authorityFile
        settings.pinnedKeys = pinnedKeys
        self = settings
    }

    /// A key as it is, or the file that holds one. Base64 may begin with a slash too.
    private static func key(_ text: String) throws -> SiteKey {
        if text.hasPrefix("/"), (try? SiteKey(text)) == nil {
            let key = try DocumentFile.text(of: text, limit: 1 << 20) ?? ""
            do {
                return try SiteKey(key)
            } catch {
                throw ContentError(code: .settings, place: text, cause: error.cause, remedy: error.remedy)
            }
        }
        return try SiteKey(text)
    }

    /// The host that is spoken to without TLS; nil with TLS.
    private static func plainHost(of baseURL: String) -> String? {
        guard baseURL.lowercased().hasPrefix("http://") else { return nil }
        let authority = baseURL.dropFirst("http://".count).prefix { $0 != "/" }
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return String(authority.prefix { $0 != ":" })
    }

    /// RFC 7469, 2.4: the SHA-256 hash of a key, in base64.
    private static func pinnedKey(_ text: String) throws -> String {
        let digits = text.utf8.prefix { $0 != UInt8(ascii: "=") }
        let isBase64 = digits.allSatisfy { byte in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == 0x2B || byte == 0x2F
        }
        guard text.utf8.count == 44, digits.count == 43, isBase64 else {
            throw ContentError(
                code: .settings, place: "\"\(text.prefix(60))\"", cause: "it is no SHA-256 hash in base64",
                remedy: "openssl x509 -in CERTIFICATE -pubkey -noout | openssl pkey -pubin -outform der | "
                    + "openssl dgst -sha256 -binary | base64 prints it")
        }
        return text
    }

    /// Without a setting, the usual variables count.
    private static func proxy(_ text: String?, environment: [String: String]) throws -> ProxySettings? {
        guard let text else { return try ProxySettings(environment: environment) }
        if text == "none" { return nil }
        let server = try ProxySettings.Server(text, name: "\"\(text.contains("@") ? "…" : text)\"")
        return ProxySettings(http: server, https: server, bypass: ProxySettings.bypass(environment: environment))
    }
}
