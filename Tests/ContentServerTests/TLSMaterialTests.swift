import ContentServer
import Foundation
import TestSupport
import Testing

@Suite("The certificate of the server")
struct TLSMaterialTests {
    @Test("a file that cannot be read is named with the reason", arguments: ["chain.pem", "key.pem"])
    func unreadable(missing: String) throws {
        let folder = try TemporaryFolder()
        for name in ["chain.pem", "key.pem"] where name != missing {
            try "no PEM".write(toFile: folder.path(name), atomically: true, encoding: .utf8)
        }
        let error = #expect(throws: TLSMaterialError.self) {
            try TLSMaterial(certificate: folder.path("chain.pem"), key: folder.path("key.pem"))
        }
        #expect(error?.place == folder.path(missing))
        #expect(error?.problem == "it cannot be read: No such file or directory")
    }
}
