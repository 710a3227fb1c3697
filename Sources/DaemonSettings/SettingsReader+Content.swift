import Beacon
import Content
import Platform
import Settings
import SiteFormat
import Text
import YAMLText

extension SettingsReader {
    /// The settings below `content`; nil if there is no site, or if something is wrong. In the second case the
    /// mistakes are noted.
    mutating func contentSettings(directory: String) -> ContentSettings? {
        // As with other files, a relative path in a variable starts at the current folder.
        let folder = folder
        let publicKeys = each(\.content.publicKeys) { text, place -> SiteKey in
            let isInFile = if case .file = place { true } else { false }
            return try Self.key(text, in: isInFile ? folder : "")
        }
        let pinned = beacons(\.content.pinned)
        requireHosts(\.content.redirectHosts)
        let authorityFile = pemFile(\.content.authorityFile, holding: "CERTIFICATE")
        let pinnedKeys = each(\.content.pinnedKeys) { text, _ in try Self.pinnedKey(text) }
        let (values, environment) = (values.content, environment)
        let proxy = reading(\.content.proxy) { try Self.proxy(values.proxy, environment: environment) }
        let token = secret(\.content.tokenFile, credential: "content-token")
        guard let baseURL = values.baseURL,
            var settings = reading(
                \.content.baseURL, { try ContentSettings(baseURL: baseURL, directory: directory, token: token) })
        else { return nil }
        if token != nil, let host = Self.plainHost(of: baseURL), !host.isLoopback {
            warn(\.content.baseURL, "anyone on the way to \(host.host) can read the token: use https")
        }
        settings.publicKeys = publicKeys
        settings.pinned = Set(pinned)
        if let proxy { settings.proxy = proxy }
        settings.prefetch = .init(rawValue: values.prefetch)
        settings.syncInterval = .seconds(values.syncInterval)
        settings.revalidationInterval = .seconds(values.syncInterval)
        settings.quotaBytes = values.quota.map { Int64($0) }
        settings.maximumImages = values.maximumImages
        settings.parallelTransfers = values.parallelTransfers
        settings.parallelManifests = values.parallelManifests
        settings.allowedRedirectHosts = Set(values.redirectHosts.map { $0.lowercased() })
        settings.authorityFile = authorityFile
        settings.pinnedKeys = pinnedKeys
        return settings
    }

    /// The beacons in a list.
    mutating func beacons(_ path: KeyPath<SettingValues, [String]>) -> [BeaconID] {
        each(path) { text, _ in
            guard let beacon = BeaconID(text) else {
                throw ContentError(
                    code: .settings, place: "\"\(text)\"", cause: "it is no beacon",
                    remedy: "write it like 7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096/1/2")
            }
            return beacon
        }
    }

    /// A key: either the key itself, or the file that contains one. A name may precede it.
    ///
    /// - Parameter folder: where relative paths start, with its trailing slash.
    private static func key(_ text: String, in folder: String) throws -> SiteKey {
        // Base64 may begin with a slash too.
        if let key = try? SiteKey(text) { return key }
        var (name, path) = ("", text)
        // By octets, as the path is.
        if let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")), !text.utf8[..<colon].contains(UInt8(ascii: "/")) {
            let start = text.utf8.index(after: colon)
            (name, path) = (String(text[..<start]), String(text[start...]))
        }
        // No key has a dot.
        let isFile = PathText.isAbsolute(path) || path.utf8.contains(UInt8(ascii: "."))
        var key = path
        if isFile {
            if !PathText.isAbsolute(path) { path = folder + path }
            key = try DocumentFile.text(of: path, limit: 1 << 20) ?? ""
        }
        do {
            return try SiteKey(name + key)
        } catch {
            throw ContentError(
                code: .settings, place: isFile ? path : error.place, cause: error.cause,
                remedy: isFile ? error.remedy : error.remedy + ", or name a file that holds it")
        }
    }

    /// The host that is accessed without TLS; nil with TLS.
    private static func plainHost(of baseURL: String) -> HostPort? {
        guard baseURL.lowercased().hasPrefix("http://") else { return nil }
        return try? HostPort(baseURL.dropFirst("http://".count).prefix { $0 != "/" })
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

    /// Without a setting, the usual environment variables are used.
    private static func proxy(_ text: String?, environment: [String: String]) throws -> ProxySettings? {
        guard let text else { return try ProxySettings(environment: environment) }
        if text == "none" { return nil }
        let server = try ProxySettings.Server(text, name: "\"\(text.contains("@") ? "…" : text)\"")
        return ProxySettings(http: server, https: server, bypass: ProxySettings.bypass(environment: environment))
    }
}
