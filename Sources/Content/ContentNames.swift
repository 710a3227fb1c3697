package import Beacon
import SiteFormat

extension ContentState {
    /// The same with the name from the configuration, which takes precedence over the site's.
    package func named(by known: KnownBeacons) -> ContentState {
        guard let name = scope.beacon.flatMap({ known.name(of: $0) }) else { return self }
        var named = self
        named.name = name
        return named
    }
}

extension StoredContent {
    /// The same with the name from the configuration, which takes precedence over the site's.
    package func named(by known: KnownBeacons) -> StoredContent {
        guard let name = beacon.flatMap({ known.name(of: $0) }) else { return self }
        var named = self
        named.name = name
        return named
    }
}
