import Beacon
import Content
import Foundation
import SiteFormat
import TestSupport
import Testing

/// Only what the site's owner has signed is ever shown.
@Suite(
    .enabled(if: Nginx.program != nil, "nginx is not installed (apt-get install nginx-light, or set NGINX)"),
    .timeLimit(.minutes(10)))
struct SignatureTests {
    static let owner = ContentSite.Signer(id: "2026", seed: 1)
    static let stranger = ContentSite.Signer(id: "2026", seed: 2)

    func site(_ signer: ContentSite.Signer?) throws -> ContentSite {
        var site = try ContentSite()
        site.signer = signer
        site.pages[.beacon(hall)] = .init(name: "Hall", images: [image(1)])
        try site.publish()
        return site
    }

    func bench(_ url: String, directory: String? = nil, keys: [ContentSite.Signer] = [owner]) throws -> Bench {
        let keys = try keys.map { try SiteKey($0.publicKey()) }
        return try Bench(url, directory: directory) { $0.publicKeys = keys }
    }

    @Test("a signed list is used, and its signature is asked for only when the list has changed")
    func signedList() async throws {
        var site = try site(Self.owner)
        let nginx = try Nginx(serving: site.folder)
        let bench = try bench(nginx.baseURL)
        for _ in 0..<3 {
            await bench.sync.want(hall)
            _ = try await bench.log.ready()
        }
        #expect(try nginx.requests().count { $0.path.contains("/signatures/") } == 1)
        site.pages[.beacon(hall)]?.images.append(image(2))
        try site.publish()
        await bench.sync.want(hall)
        #expect(try await bench.log.ready().fetchedAssets == 1)
        #expect(try nginx.requests().count { $0.path.contains("/signatures/") } == 2)
        await bench.sync.shutdown()
    }

    enum Attack: CaseIterable {
        case unsigned, wrongKey, forged, replayed, truncatedSignature, otherKeyID, removed
    }

    @Test("what is not the owner's is refused, and the last good stays", arguments: Attack.allCases)
    func whatIsNotOwners(attack: Attack) async throws {
        var site = try site(Self.owner)
        let old = try Data(contentsOf: URL(fileURLWithPath: "\(site.folder)/v1/site.json"))
        let oldSignature = try Self.owner.signature(of: old)
        try site.publish()
        let nginx = try Nginx(serving: site.folder)
        let bench = try bench(nginx.baseURL)
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        let good = try bench.files(hall)

        let evil = image(66)
        site.pages[.beacon(hall)] = .init(name: "Evil", images: [evil])
        var code = ContentError.Code.signature
        switch attack {
        case .unsigned:
            site.signer = nil
            try site.publish()
        case .wrongKey:
            site.signer = Self.stranger
            try site.publish()
        case .otherKeyID:
            site.signer = .init(id: "2027", seed: 1)
            try site.publish()
        case .forged, .truncatedSignature:
            try site.publish()
            let list = try Data(contentsOf: URL(fileURLWithPath: "\(site.folder)/v1/site.json"))
            let hash = ContentSite.Asset(Array(list)).sha256
            let signature = attack == .forged ? oldSignature : try Self.owner.signature(of: list).prefix(63)
            try site.write(signature, to: "signatures/\(hash)")
        case .replayed:
            code = .rollback
            try site.write(oldSignature, to: "signatures/\(ContentSite.Asset(Array(old)).sha256)")
            try site.write(old, to: "site.json")
        case .removed:
            try FileManager.default.removeItem(atPath: "\(site.folder)/v1/site.json")
        }
        await bench.sync.want(hall)
        let (error, stillHasOld) = try await bench.log.failure()
        #expect(error.code == code && stillHasOld, "\(error)")
        #expect(bench.store.content(for: hall)?.name == "Hall")
        #expect(try bench.files(hall) == good)
        #expect(bench.store.assetPath(evil.asset.sha256) == nil)
        await bench.sync.shutdown()
    }

    @Test("a list that cannot be read once is used as soon as it can be")
    func unreadableOnce() async throws {
        let site = try site(Self.owner)
        let nginx = try Nginx(serving: site.folder)
        let bench = try bench(nginx.baseURL)
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        await bench.sync.shutdown()
        let folder = bench.store.directory + "/signatures"
        let name = try #require(try FileManager.default.contentsOfDirectory(atPath: folder).first)
        // A folder in its place is opened, but not read.
        try FileManager.default.moveItem(atPath: "\(folder)/\(name)", toPath: "\(folder)/aside")
        try FileManager.default.createDirectory(atPath: "\(folder)/\(name)", withIntermediateDirectories: false)
        let store = try ContentStore(reading: bench.store.directory)
        #expect(store.content(for: hall) == nil)
        try FileManager.default.removeItem(atPath: "\(folder)/\(name)")
        try FileManager.default.moveItem(atPath: "\(folder)/aside", toPath: "\(folder)/\(name)")
        #expect(store.content(for: hall)?.name == "Hall")
    }

    @Test("several keys, for rotation")
    func severalKeys() async throws {
        let next = ContentSite.Signer(id: "2027", seed: 3)
        var site = try site(Self.owner)
        let nginx = try Nginx(serving: site.folder)
        let bench = try bench(nginx.baseURL, keys: [Self.owner, next])
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        site.signer = next
        try site.publish()
        await bench.sync.want(hall)
        _ = try await bench.log.ready()
        await bench.sync.shutdown()
        // The old key is taken out of the settings: what the new one has signed goes on.
        let after = try self.bench(nginx.baseURL, directory: bench.store.directory, keys: [next])
        #expect(after.store.content(for: hall)?.name == "Hall")
        await after.sync.shutdown()
        // Content that was fetched before a key was asked for is not shown on trust.
        let other = try self.bench(nginx.baseURL, directory: bench.store.directory, keys: [Self.stranger])
        #expect(other.store.content(for: hall) == nil)
        #expect(try other.store.list().isEmpty)
        await other.sync.want(hall)
        #expect(try await other.log.failure().error.code == .signature)
        await other.sync.shutdown()
    }

    @Test("keys in the forms that people have")
    func keysInForms() throws {
        let base64 = try ContentSite.Signer(seed: 1).publicKey()
        let bytes = try #require(Data(base64Encoded: base64))
        let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        let info = Data([0x30, 0x2A, 0x30, 0x05, 0x06, 0x03, 0x2B, 0x65, 0x70, 0x03, 0x21, 0x00]) + bytes
        let pem = "-----BEGIN PUBLIC KEY-----\n\(info.base64EncodedString())\n-----END PUBLIC KEY-----\n"
        let key = try SiteKey(base64)
        for text in [hex, hex.uppercased(), pem, info.base64EncodedString()] {
            #expect(try SiteKey(text) == key)
        }
        #expect(try SiteKey("2026:\(base64)").id == "2026")
        for text in ["", "x", ":\(base64)", String(base64.dropLast(4)), "-----BEGIN PUBLIC KEY-----"] {
            let error = #expect(throws: ContentError.self) { try SiteKey(text) }
            #expect(error?.code == .settings)
        }
    }
}
