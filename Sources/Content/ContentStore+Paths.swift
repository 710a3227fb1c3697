internal import Beacon
import Platform
import SiteFormat

// The paths in a store. All names consist of numbers and hashes.
extension ContentStore {
    /// No document is larger. Everything that is stored was checked against smaller limits before.
    static var readLimit: Int { 1 << 30 }

    var sitePath: String { "\(directory)/site.json" }
    var keysPath: String { "\(directory)/keys.json" }
    var learnedPath: String { "\(directory)/learned.json" }
    var temporaryFolder: String { "\(directory)/tmp" }
    var partialFolder: String { "\(directory)/partial" }
    var signatureFolder: String { "\(directory)/signatures" }
    var pendingFolder: String { "\(directory)/pending" }

    func path(of hash: AssetHash) -> String {
        "\(directory)/assets/\(hash.description.prefix(2))/\(hash)"
    }

    func partialPath(of hash: AssetHash) -> String {
        "\(partialFolder)/\(hash)"
    }

    func partialTagPath(of hash: AssetHash) -> String {
        "\(partialFolder)/\(hash).etag"
    }

    func signaturePath(of hash: AssetHash) -> String {
        "\(signatureFolder)/\(hash)"
    }

    func path(of scope: ContentScope) -> String {
        "\(directory)/\(scope.path).json"
    }

    /// The path of a manifest whose assets are not complete yet.
    func pendingPath(of scope: ContentScope) -> String {
        "\(pendingFolder)/\(scope.path).json"
    }

    func sidePath(of document: String) -> String {
        "\(document.dropLast(5)).meta"
    }

    /// Calls `use` for every file whose name and folder are those of an asset.
    func forEachAsset(_ use: (_ hash: AssetHash, _ path: String) -> Void) {
        for folder in FolderListing.names(in: "\(directory)/assets").sorted() where folder.utf8.count == 2 {
            for name in FolderListing.names(in: "\(directory)/assets/\(folder)").sorted() {
                guard let hash = AssetHash(name), hash.description == name, name.hasPrefix(folder) else { continue }
                use(hash, "\(directory)/assets/\(folder)/\(name)")
            }
        }
    }

    /// The scopes of the manifests in the store's folders, or of those below `pending/`. Names that this program would
    /// not have written are ignored.
    func storedScopes(pending: Bool = false) -> [ContentScope] {
        let top = pending ? pendingFolder : directory
        var scopes: [ContentScope] = FileIdentity(of: "\(top)/uncategorized.json") == nil ? [] : [.uncategorized]
        let root = "\(top)/beacons"
        for name in FolderListing.names(in: root) {
            if let uuid: ProximityUUID = documentValue(name) {
                scopes.append(.uuid(uuid))
            } else if let uuid: ProximityUUID = value(name) {
                scopes += storedScopes(of: uuid, in: "\(root)/\(name)")
            }
        }
        return scopes
    }

    private func storedScopes(of uuid: ProximityUUID, in folder: String) -> [ContentScope] {
        FolderListing.names(in: folder).flatMap { name -> [ContentScope] in
            if let major: UInt16 = documentValue(name) { return [.major(uuid, major)] }
            guard let major: UInt16 = value(name) else { return [] }
            return FolderListing.names(in: "\(folder)/\(name)").compactMap { name in
                documentValue(name).map { .beacon(BeaconID(uuid: uuid, major: major, minor: $0)) }
            }
        }
    }

    /// The value of a name that is written as this program writes it: `01` is not the folder of major 1.
    private func value<Value: LosslessStringConvertible>(_ name: String) -> Value? {
        Value(name).flatMap { $0.description == name ? $0 : nil }
    }

    private func documentValue<Value: LosslessStringConvertible>(_ name: String) -> Value? {
        name.hasSuffix(".json") ? value(String(name.dropLast(5))) : nil
    }
}
