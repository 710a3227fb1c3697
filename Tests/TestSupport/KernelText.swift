import Foundation

/// A table of the kernel, such as /proc/net/tcp.
///
/// The kernel gives a page at a time, and Foundation takes the first short read for the end of the file.
///
/// - Throws: if it cannot be opened.
package func kernelText(_ path: String) throws -> String {
    guard let file = fopen(path, "re") else {
        let reason = String(cString: strerror(errno))
        throw RunningProgram.Failure(description: "\(path): \(reason)")
    }
    defer { fclose(file) }
    var octets: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { octets += buffer[..<count] }
    return String(decoding: octets, as: UTF8.self)
}
