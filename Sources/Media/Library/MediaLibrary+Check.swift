import Crypto
import Glibc
import Platform
package import SiteFormat

extension MediaLibrary {
    /// Reads every file and compares its content with its hash.
    ///
    /// - Parameters:
    ///   - needed: the files of all documents and revisions.
    ///   - age: in seconds. A younger file that nothing needs is not reported: its document may not be saved yet. If
    ///     the
    ///   server was killed before that, `sweep` removes the file later.
    package func check(
        needed: Set<AssetHash>, unusedFor age: Int = sweepAge
    ) async throws(MediaError) -> [MediaFinding] {
        try await onOwnThread { [self] () throws(MediaError) in
            var findings: [MediaFinding] = []
            var present: Set<AssetHash> = []
            let now = time(nil)
            for (path, name) in folder.files(below: "media") {
                guard let hash = AssetHash(name), path == folder.file(hash), let status = MediaFolder.status(path)
                else {
                    findings.append(MediaFinding(kind: .foreign, hash: nil, path: path))
                    continue
                }
                present.insert(hash)
                if contentHash(path) != hash {
                    findings.append(MediaFinding(kind: .damaged, hash: hash, path: path))
                } else if !needed.contains(hash), now - status.changed >= age {
                    findings.append(MediaFinding(kind: .unused, hash: hash, path: path))
                }
            }
            for hash in needed.subtracting(present).sorted() {
                findings.append(MediaFinding(kind: .missing, hash: hash, path: folder.file(hash)))
            }
            return findings
        }
    }

    private func contentHash(_ path: String) -> AssetHash? {
        let descriptor = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let file = OwnedDescriptor(descriptor)
        var hash = SHA256()
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(file.number, &chunk, chunk.count)
            guard count >= 0 else { return nil }
            if count == 0 { break }
            chunk.withUnsafeBytes { hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
        return AssetHash(sha256: hash.finalize())
    }
}

extension MediaLibrary {
    /// The protections of the server against pictures.
    ///
    /// - Throws: `.helperMissing` or `.libraryMissing` if pictures cannot be uploaded.
    package func helperProtections() async throws(MediaError) -> HelperProtections {
        try await helper.protections()
    }
}
