import Curation
import Foundation
import Publishing
import SiteFormat
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct SigningKeyTests {
    @Test("a list is signed over its exact bytes, and devices with the public key accept it")
    func signs() throws {
        let key = SigningKey(id: "2026")
        let built = try Hall(seed: 1, beacons: 1, images: 1).build(key: key)
        let list = try SiteList(json: built.list)
        #expect(list.keyID == "2026")
        let known = try SiteKey(key.publicPEM)
        try [known].check(list, bytes: built.list, signature: built.signature, source: "site.json")
        #expect(!known.verifies(built.signature ?? [], of: built.list + [32]))
    }

    @Test("a key is written as PEM and read back as the same key")
    func roundTrip() throws {
        let key = SigningKey(id: "2026")
        let again = try SigningKey(pem: key.pem, source: "key.pem")
        #expect(again.publicPEM == key.publicPEM)
        #expect(again.id == "2026")
    }

    @Test(
        "text that is no key is refused with the file's name",
        arguments: [
            "", "-----BEGIN PRIVATE KEY-----\n-----END PRIVATE KEY-----\n",
            "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            "-----END PRIVATE KEY-----\n-----BEGIN PRIVATE KEY-----\n",
        ])
    func refused(text: String) throws {
        let error = try #require(throws: PublishingError.self) {
            try SigningKey(pem: text, source: "key.pem")
        }
        #expect(error.code == .key)
        #expect(error.place == "key.pem")
    }

    @Test(
        "the openssl tool verifies signatures, and its keys sign",
        .enabled(if: Programs.installed("openssl") != nil, "openssl is not installed"))
    func openssl() async throws {
        let openssl = try #require(Programs.installed("openssl"))
        let folder = try TemporaryFolder()
        let (made, ours) = (folder.path("made.pem"), folder.path("ours.pem"))
        let output = try await RunningProgram.run(openssl, ["genpkey", "-algorithm", "ed25519", "-out", made])
        try #require(output.status == 0, "\(output.errors)")
        let text = Array("a list".utf8)
        for key in [try SigningKey(pem: folder.text("made.pem"), source: made), SigningKey(id: nil)] {
            try key.publicPEM.write(toFile: ours, atomically: true, encoding: .utf8)
            try Data(text).write(to: URL(fileURLWithPath: folder.path("list")))
            try Data(key.signature(of: text)).write(to: URL(fileURLWithPath: folder.path("signature")))
            let verified = try await RunningProgram.run(
                openssl,
                [
                    "pkeyutl", "-verify", "-pubin", "-inkey", ours, "-rawin", "-in", folder.path("list"), "-sigfile",
                    folder.path("signature"),
                ])
            #expect(verified.status == 0, "\(verified.output) \(verified.errors)")
        }
    }
}
