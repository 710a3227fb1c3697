import Crypto
import CryptoExtras
import Foundation
import Platform
import Synchronization

/// The cost of scrypt (RFC 7914): N = 2^exponent, r = 8.
package struct PasswordCost: Hashable, Sendable {
    package var exponent: Int
    package var parallelism: Int

    /// 32 MiB of memory and three passes: one of the equivalent settings that OWASP recommends.
    package static let standard = PasswordCost(exponent: 15, parallelism: 3)
    /// Only for tests.
    package static let test = PasswordCost(exponent: 4, parallelism: 1)
}

/// A password's hash as text: `scrypt$EXPONENT$PARALLELISM$SALT$KEY`. Salt and key are in base64.
struct PasswordHash {
    var text: String

    init(_ password: String, _ cost: PasswordCost) throws {
        var generator = SystemRandomNumberGenerator()
        let salt = Data((0..<16).map { _ in UInt8.random(in: .min ... .max, using: &generator) })
        let key = try Self.key(password, salt, cost)
        text = "scrypt$\(cost.exponent)$\(cost.parallelism)$\(salt.base64EncodedString())$\(key.base64EncodedString())"
    }

    init(text: String) {
        self.text = text
    }

    /// Whether this is the password. The cost is the same in both cases.
    func matches(_ password: String) throws -> Bool {
        let parts = text.split(separator: "$")
        guard parts.count == 5, parts[0] == "scrypt", let exponent = Int(parts[1]), (1...20).contains(exponent),
            let parallelism = Int(parts[2]), (1...16).contains(parallelism),
            let salt = Data(base64Encoded: String(parts[3])),
            let expected = Data(base64Encoded: String(parts[4]))
        else { throw StoreError.damaged("an unusable password hash") }
        let key = try Self.key(password, salt, PasswordCost(exponent: exponent, parallelism: parallelism))
        guard key.count == expected.count else { return false }
        return zip(key, expected).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    private static func key(_ password: String, _ salt: Data, _ cost: PasswordCost) throws -> Data {
        // Normalized, so that the same password typed on another keyboard gives the same bytes.
        let typed = Data(password.precomposedStringWithCompatibilityMapping.utf8)
        return try KDF.Scrypt.deriveKey(
            from: typed, salt: salt, outputByteCount: 32, rounds: 1 << cost.exponent, blockSize: 8,
            parallelism: cost.parallelism
        ).withUnsafeBytes { Data($0) }
    }
}

/// Hashes passwords on threads of their own, two at a time. Each needs 32 MiB and, in debug builds, about a second. So
/// only a few may wait, and others are refused.
final class PasswordWork: Sendable {
    private let turns = AsyncSemaphore(value: 2)
    private static let mostWaiting = 20

    func run<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws(StoreError) -> Value {
        guard turns.waiters < Self.mostWaiting else {
            throw StoreError(.busy, "too many people sign in at once", remedy: "try again in a moment")
        }
        await turns.wait()
        defer { turns.signal() }
        do {
            return try await OwnThread.run(body)
        } catch {
            throw error as? StoreError ?? StoreError(.unusable, "\(error)")
        }
    }
}
