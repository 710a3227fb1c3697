import Glibc
import NIOCore
import NIOSSL
import Platform
import Synchronization
import Text

/// The certificate and the key with which the server proves who it is. They can be read again while it serves: new
/// connections then use the new ones.
package final class TLSMaterial: Sendable {
    private let certificate: String
    private let key: String
    private let context: Mutex<NIOSSLContext>

    /// - Parameters:
    ///   - certificate: a PEM file, with the chain after the certificate.
    ///   - key: a PEM file.
    /// - Throws: `TLSMaterialError`.
    package init(certificate: String, key: String) throws(TLSMaterialError) {
        self.certificate = certificate
        self.key = key
        context = Mutex(try Self.read(certificate, key))
    }

    /// Reads the files again. If that fails, the old ones stay in use.
    package func reload() throws(TLSMaterialError) {
        let new = try Self.read(certificate, key)
        context.withLock { $0 = new }
    }

    func add(to channel: any Channel) throws {
        let context = context.withLock { $0 }
        try channel.pipeline.syncOperations.addHandler(NIOSSLServerHandler(context: context))
    }

    private static func read(_ certificate: String, _ key: String) throws(TLSMaterialError) -> NIOSSLContext {
        // The library does not say which of the two files it cannot read, nor why.
        for path in [certificate, key] where access(path, R_OK) != 0 {
            let failure = SystemFailure()
            var error = TLSMaterialError(place: path, problem: "it cannot be read: \(failure)")
            if failure.code == EACCES { error.remedy = InstalledService.contentServer.toRead(path) }
            throw error
        }
        do {
            let chain = try NIOSSLCertificate.fromPEMFile(certificate).map { NIOSSLCertificateSource.certificate($0) }
            guard !chain.isEmpty else { throw TLSMaterialError(place: certificate, problem: "it has no certificate") }
            let privateKey: NIOSSLPrivateKey
            do {
                privateKey = try NIOSSLPrivateKey(file: key, format: .pem)
            } catch {
                throw TLSMaterialError(place: key, problem: "it cannot be read as a private key")
            }
            var configuration = TLSConfiguration.makeServerConfiguration(
                certificateChain: chain, privateKey: .privateKey(privateKey))
            configuration.minimumTLSVersion = .tlsv12
            configuration.applicationProtocols = ["http/1.1"]
            return try NIOSSLContext(configuration: configuration)
        } catch let error as TLSMaterialError {
            throw error
        } catch {
            throw TLSMaterialError(place: certificate, problem: "it cannot be used as a certificate with this key")
        }
    }
}

/// Why TLS cannot be used.
package struct TLSMaterialError: ExplainedError {
    package let place: String
    package let problem: String
    package fileprivate(set) var remedy = "name a certificate and its key in PEM form, readable for this program"
}
