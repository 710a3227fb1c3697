import Beacon
import Content

extension ContentSettings {
    /// The settings below `content`; nil where there is no site, or where something is wrong, which is then noted.
    init?(_ values: inout Values, directory: String) {
        let publicKeys = values.each(.publicKeys, Self.key)
        let pinned = values.each(.pinned, Self.beacon)
        let environment = values.environment
        let proxy = values.text(.proxy)
        let proxies = values.reading(.proxy) { try Self.proxy(proxy, environment: environment) }
        let token = values.secret(.tokenFile, credential: "content-token")
        guard let baseURL = values.text(.baseURL),
            var settings = values.reading(.baseURL, {
                try ContentSettings(baseURL: baseURL, directory: directory, token: token)
            })
        else { return nil }
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
        settings.authorityFile = values.text(.authorityFile)
        settings.pinnedKeys = values.texts(.pinnedKeys) ?? []
        self = settings
    }

    /// A key as it is, or the file that holds one. Base64 may begin with a slash too.
    private static func key(_ text: String) throws -> SiteKey {
        if text.hasPrefix("/"), (try? SiteKey(text)) == nil {
            let key = try DaemonConfiguration.text(of: text, mayBeMissing: false) ?? ""
            do {
                return try SiteKey(key)
            } catch {
                throw ContentError(code: .settings, place: text, cause: error.cause, remedy: error.remedy)
            }
        }
        return try SiteKey(text)
    }

    private static func beacon(_ text: String) throws -> BeaconID {
        guard let beacon = BeaconID(text) else {
            throw ContentError(
                code: .settings, place: "\"\(text)\"", cause: "it is no beacon",
                remedy: "write it like 7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096/1/2")
        }
        return beacon
    }

    /// Without a setting, the usual variables count.
    private static func proxy(_ text: String?, environment: [String: String]) throws -> ProxySettings? {
        guard let text else { return try ProxySettings(environment: environment) }
        if text == "none" { return nil }
        let server = try ProxySettings.Server(text, name: "\"\(text.contains("@") ? "…" : text)\"")
        return ProxySettings(http: server, https: server, bypass: ProxySettings.bypass(environment: environment))
    }
}
