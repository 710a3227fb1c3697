import Crypto
import Foundation

/// A random secret of 256 bits as text: 43 of `A`–`Z`, `a`–`z`, `0`–`9`, `-` and `_`. The database stores only its
/// SHA-256. With so many bits, a slow hash would add nothing.
enum Secret {
    static func random() -> String {
        var generator = SystemRandomNumberGenerator()
        let bytes = (0..<4).flatMap { _ in withUnsafeBytes(of: generator.next(), Array.init) }
        return Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
            .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
    }

    static func hash(_ secret: String) -> Data { Data(SHA256.hash(data: Data(secret.utf8))) }
}
