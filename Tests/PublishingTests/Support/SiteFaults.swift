import SiteFormat

/// What is wrong with a site for somebody who begins with this list: files that are missing or are not what was named.
func siteFaults(list: [UInt8], file: (_ path: String) throws -> [UInt8]?) throws -> [String] {
    var faults: [String] = []
    for (scope, entry) in try SiteList(json: list).entries {
        guard let bytes = try file(entry.manifest.description) else {
            faults.append("\(scope): no manifest")
            continue
        }
        guard AssetHash(of: bytes) == entry.sha256, let manifest = try? Manifest(json: bytes) else {
            faults.append("\(scope): another manifest")
            continue
        }
        for asset in manifest.assets {
            let bytes = try file("assets/\(asset.sha256)")
            if bytes.map(AssetHash.init(of:)) != asset.sha256 { faults.append("\(scope): asset \(asset.sha256)") }
        }
    }
    return faults
}
