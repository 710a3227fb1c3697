package import Beacon
import Crypto
package import Foundation

/// A content site for tests: describes beacons and their images, and writes the files that a web server serves.
///
///     var site = try ContentSite()
///     site.pages[.beacon(id)] = .init(name: "Hall", images: [.init(id: "1", asset: .init(bytes, type: "image/png"))])
///     try site.publish()
package struct ContentSite: Sendable {
    /// What a manifest is for.
    package enum Target: Hashable, Sendable {
        case beacon(BeaconID)
        case major(ProximityUUID, UInt16)
        case uuid(ProximityUUID)
        case uncategorized

        /// Below `v1/`.
        package var path: String {
            switch self {
            case .beacon(let id): "beacons/\(id.uuid)/\(id.major)/\(id.minor).json"
            case .major(let uuid, let major): "beacons/\(uuid)/\(major).json"
            case .uuid(let uuid): "beacons/\(uuid).json"
            case .uncategorized: "uncategorized.json"
            }
        }
    }

    /// A file of the site.
    package struct Asset: Hashable, Sendable {
        package var data: [UInt8]
        package var type: String

        package init(_ data: [UInt8], type: String = "application/octet-stream") {
            self.data = data
            self.type = type
        }

        /// In lower-case hexadecimal digits.
        package var sha256: String {
            SHA256.hash(data: data).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
    }

    /// An image with a gallery of further assets beside it.
    package struct Image: Sendable {
        package var id: String
        package var title: String
        package var asset: Asset
        package var gallery: [Asset]

        package init(id: String, title: String = "", asset: Asset, gallery: [Asset] = []) {
            self.id = id
            self.title = title
            self.asset = asset
            self.gallery = gallery
        }
    }

    /// A manifest.
    package struct Page: Sendable {
        package var name: String
        package var images: [Image]

        package init(name: String = "", images: [Image]) {
            self.name = name
            self.images = images
        }
    }

    /// A key pair of the site's owner.
    package struct Signer: Sendable {
        /// What the list gives as `key_id`; nil for nothing.
        package var id: String?
        private let seed: [UInt8]

        /// - Parameter seed: the octet that the private key consists of; another gives another key.
        package init(id: String? = nil, seed: UInt8) {
            self.id = id
            self.seed = [UInt8](repeating: seed, count: 32)
        }

        /// The public key in base64, after its name and a colon where it has one.
        package func publicKey() throws -> String {
            let key = try Curve25519.Signing.PrivateKey(rawRepresentation: seed).publicKey.rawRepresentation
            return (id.map { "\($0):" } ?? "") + key.base64EncodedString()
        }

        package func signature(of bytes: Data) throws -> Data {
            try Curve25519.Signing.PrivateKey(rawRepresentation: seed).signature(for: bytes)
        }
    }

    /// The folder to serve; the site is in `v1/` below it.
    package let folder: String
    /// What the site has.
    package var pages: [Target: Page] = [:]
    /// Whether `site.json` is written. Without it, manifests are found by their paths.
    package var hasList = true
    /// Signs the list, where it is set.
    package var signer: Signer?
    /// The revision of the last publication.
    package private(set) var revision = 0

    /// - Parameter folder: where the site is written to; by default a new temporary one.
    package init(folder: String? = nil) throws {
        self.folder = try folder ?? temporaryFolder("site")
    }

    /// The file of an asset, whether it is published or not.
    package func file(of asset: Asset) -> String {
        "\(folder)/v1/assets/\(asset.sha256)"
    }

    /// The file of a manifest, whether it is published or not.
    package func file(of target: Target) -> String {
        "\(folder)/v1/\(target.path)"
    }

    /// Writes assets, manifests and the list; removes what is no longer described. Unchanged files are not touched,
    /// so that their ETags stay; changed ones get a later time of change, so that theirs do not.
    package mutating func publish() throws {
        revision += 1
        var wanted: Set<String> = []
        var lines: [[String: Any]] = []
        var uncategorized: Any = NSNull()
        for (target, page) in pages {
            for asset in page.images.flatMap({ [$0.asset] + $0.gallery }) {
                let path = "assets/\(asset.sha256)"
                if wanted.insert(path).inserted { try write(Data(asset.data), to: path) }
            }
            let manifest = try json(manifest(target, page))
            try write(manifest, to: target.path)
            wanted.insert(target.path)
            var line = reference(target)
            line["manifest"] = target.path
            line["sha256"] = Asset(Array(manifest)).sha256
            if target == .uncategorized {
                uncategorized = line
            } else {
                line["name"] = page.name
                lines.append(line)
            }
        }
        if hasList {
            var list: [String: Any] = [
                "format": 1, "revision": revision, "updated_at": "2026-01-01T00:00:00Z", "beacons": lines,
                "uncategorized": uncategorized,
            ]
            if let id = signer?.id { list["key_id"] = id }
            let data = try json(list)
            if let signer {
                let path = "signatures/\(Asset(Array(data)).sha256)"
                try write(signer.signature(of: data), to: path)
                wanted.insert(path)
            }
            try write(data, to: "site.json")
            wanted.insert("site.json")
        }
        try removeFiles(except: wanted)
    }

    /// Writes a file below `v1/` as it is, with a later time of change if it was another before.
    package func write(_ data: Data, to path: String) throws {
        let file = "\(folder)/v1/\(path)"
        let files = FileManager.default
        if files.contents(atPath: file) == data { return }
        let before = try? files.attributesOfItem(atPath: file)[.modificationDate] as? Date
        try files.createDirectory(
            atPath: URL(fileURLWithPath: file).deletingLastPathComponent().path, withIntermediateDirectories: true)
        try data.write(to: URL(fileURLWithPath: file), options: .atomic)
        // nginx makes its ETag of whole seconds and the size.
        if let before {
            try files.setAttributes(
                [.modificationDate: max(Date(), before.addingTimeInterval(2))], ofItemAtPath: file)
        }
    }

    // MARK: - Inside

    private func manifest(_ target: Target, _ page: Page) -> [String: Any] {
        var beacon: Any = NSNull()
        if target != .uncategorized {
            beacon = reference(target).merging(["name": page.name]) { $1 }
        }
        return [
            "format": 1, "beacon": beacon, "updated_at": "2026-01-01T00:00:00Z", "images": page.images.map(image),
        ]
    }

    private func image(_ image: Image) -> [String: Any] {
        let gallery: [String: Any] = [
            "id": "gallery", "label": "More", "position": "right", "kind": "gallery",
            "assets": image.gallery.map(reference),
        ]
        return [
            "id": image.id, "title": image.title, "width_cm": 20, "display": "overlay",
            "asset": reference(image.asset), "contents": image.gallery.isEmpty ? [] : [gallery],
            "fullscreen": NSNull(),
        ]
    }

    private func reference(_ asset: Asset) -> [String: Any] {
        ["sha256": asset.sha256, "bytes": asset.data.count, "media_type": asset.type]
    }

    private func reference(_ target: Target) -> [String: Any] {
        switch target {
        case .beacon(let id): ["uuid": "\(id.uuid)", "major": Int(id.major), "minor": Int(id.minor)]
        case .major(let uuid, let major): ["uuid": "\(uuid)", "major": Int(major)]
        case .uuid(let uuid): ["uuid": "\(uuid)"]
        case .uncategorized: [:]
        }
    }

    private func json(_ value: [String: Any]) throws -> Data {
        try JSONSerialization.data(withJSONObject: value, options: [.sortedKeys, .withoutEscapingSlashes])
    }

    private func removeFiles(except wanted: Set<String>) throws {
        let root = "\(folder)/v1"
        for path in FileManager.default.enumerator(atPath: root)?.allObjects as? [String] ?? [] {
            var isFolder: ObjCBool = false
            guard FileManager.default.fileExists(atPath: "\(root)/\(path)", isDirectory: &isFolder),
                !isFolder.boolValue, !wanted.contains(path)
            else { continue }
            try FileManager.default.removeItem(atPath: "\(root)/\(path)")
        }
    }
}
