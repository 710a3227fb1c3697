import Foundation
import Synchronization

/// A real nginx on loopback that serves a folder: unprivileged, in the foreground, with its own files only.
///
///     let nginx = try Nginx(serving: site.folder)
///     defer { nginx.stop() }
package final class Nginx: Sendable {
    /// The program: `$NGINX`, or Debian's. Nil where there is none; tests then have nothing to show.
    package static var program: String? {
        let environment = ProcessInfo.processInfo.environment["NGINX"]
        return [environment, "/usr/sbin/nginx"].compactMap { $0 }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
    }

    /// A line of the access log.
    package struct Request: Hashable, Sendable {
        package var method: String
        package var path: String
        package var status: Int
        /// Bytes of the body that were sent.
        package var bytes: Int
        /// The request's `Authorization` field; `-` where it has none.
        package var authorization: String
    }

    /// Why it could not be started.
    package struct Failure: Error, CustomStringConvertible {
        package var description: String
    }

    /// The port on 127.0.0.1. It stays the same over `stop` and `start`.
    package let port: UInt16
    /// Where its configuration, log and temporary files are.
    package let folder: String
    private let program: String
    private let process: Mutex<pid_t?>

    /// The base URL of what is served.
    package var baseURL: String { "http://127.0.0.1:\(port)" }

    /// Starts it, and returns when it answers.
    ///
    /// - Parameters:
    ///   - root: the folder to serve.
    ///   - directives: more lines for its `server` block, such as locations.
    package init(serving root: String, directives: String = "") throws {
        guard let program = Self.program else {
            throw Failure(description: "nginx is not installed: apt-get install nginx-light, or set NGINX")
        }
        self.program = program
        folder = try temporaryFolder("nginx")
        var started: (UInt16, pid_t)?
        // Between asking for a free port and using it, somebody else may take it.
        for _ in 0..<5 where started == nil {
            let port = try freePort()
            try Self.writeConfiguration(folder: folder, root: root, port: port, directives: directives)
            if let process = try Self.launch(program, folder: folder, port: port) { started = (port, process) }
        }
        guard let (port, process) = started else {
            throw Failure(description: "nginx does not start, see \(folder)/error.log")
        }
        self.port = port
        self.process = Mutex(process)
    }

    deinit {
        stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts it again after `stop`, on the same port.
    package func start() throws {
        try process.withLock { process in
            guard process == nil else { return }
            process = try Self.launch(program, folder: folder, port: port)
            guard process != nil else { throw Failure(description: "nginx does not start again on port \(port)") }
        }
    }

    /// Ends it, and returns when it is gone.
    package func stop() {
        process.withLock { process in
            guard let running = process else { return }
            process = nil
            kill(running, SIGTERM)
            var status: CInt = 0
            defer { Orphans.shared.ended(running) }
            if blockUntil(within: .seconds(30), { waitpid(running, &status, WNOHANG) != 0 }) { return }
            kill(running, SIGKILL)
            waitpid(running, &status, 0)
        }
    }

    /// Every request so far, the oldest first. Waits until nginx has logged all that were answered before.
    package func requests() throws -> [Request] {
        if process.withLock({ $0 != nil }) { try flushLog() }
        return try log().filter { !$0.path.hasPrefix("/flush-") }
    }

    // MARK: - Inside

    private static func writeConfiguration(folder: String, root: String, port: UInt16, directives: String) throws {
        // One process: it needs no other user to drop to, and its pid is all there is to stop.
        let text = """
            daemon off;
            master_process off;
            pid \(folder)/nginx.pid;
            error_log \(folder)/error.log warn;
            events { worker_connections 256; }
            http {
                log_format plain '$request_method $request_uri $status $body_bytes_sent "$http_authorization"';
                access_log \(folder)/access.log plain;
                client_body_temp_path \(folder)/body;
                proxy_temp_path \(folder)/proxy;
                fastcgi_temp_path \(folder)/fastcgi;
                uwsgi_temp_path \(folder)/uwsgi;
                scgi_temp_path \(folder)/scgi;
                default_type application/octet-stream;
                sendfile on;
                server {
                    listen 127.0.0.1:\(port);
                    root \(root);
                    location / { }
                    location /flush- { return 204; }
                    \(directives)
                }
            }

            """
        try text.write(toFile: "\(folder)/nginx.conf", atomically: true, encoding: .utf8)
    }

    /// The process, or nil where it ended at once (most likely the port was taken).
    private static func launch(_ program: String, folder: String, port: UInt16) throws -> pid_t? {
        let process = try spawn(
            program, ["-p", folder, "-e", "\(folder)/error.log", "-c", "\(folder)/nginx.conf"],
            environment: ProcessInfo.processInfo.environment, output: "\(folder)/output", errors: "\(folder)/output"
        ) { posix_spawn_file_actions_addopen(&$0, 0, "/dev/null", O_RDONLY, 0) }
        var status: CInt = 0
        var hasEnded = false
        let isThere = blockUntil(within: longestWait) {
            hasEnded = waitpid(process, &status, WNOHANG) == process
            if hasEnded { return true }
            // Another server on the port would answer too, but then nginx ends, which is seen first.
            let answer = try? exchange(port: port, request: "GET /flush-start HTTP/1.0\r\n\r\n")
            guard answer?.contains(" 204 ") == true else { return false }
            hasEnded = waitpid(process, &status, WNOHANG) == process
            return true
        }
        if isThere, !hasEnded { Orphans.shared.started(process) }
        if isThere { return hasEnded ? nil : process }
        kill(process, SIGKILL)
        waitpid(process, &status, 0)
        throw Failure(description: "nginx does not answer within \(longestWait), see \(folder)/error.log")
    }

    /// Lines are written in the order of the answers: when that of a last request is there, all others are.
    private func flushLog() throws {
        let mark = "/flush-\(UInt64.random(in: 0 ... .max))"
        _ = try exchange(port: port, request: "GET \(mark) HTTP/1.0\r\n\r\n")
        guard try blockUntil(within: longestWait, { try log().contains { $0.path == mark } }) else {
            throw Failure(description: "nginx does not write its access log")
        }
    }

    private func log() throws -> [Request] {
        try String(contentsOfFile: "\(folder)/access.log", encoding: .utf8).split(separator: "\n").compactMap { line in
            let parts = line.split(separator: " ", maxSplits: 4)
            guard parts.count == 5, let status = Int(parts[2]), let bytes = Int(parts[3]) else { return nil }
            return Request(
                method: String(parts[0]), path: String(parts[1]), status: status, bytes: bytes,
                authorization: parts[4].trimmingCharacters(in: ["\""]))
        }
    }
}

/// A new folder for one test, below the system's temporary folder. It goes when the process ends.
package func temporaryFolder(_ name: String) throws -> String {
    let path = "\(temporaryRoot)/\(name)-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    return path
}

private let temporaryRoot: String = {
    atexit { try? FileManager.default.removeItem(atPath: temporaryRootPath) }
    return temporaryRootPath
}()

private let temporaryRootPath = FileManager.default.temporaryDirectory.path + "/beacond-tests-\(getpid())"

/// A TCP port on 127.0.0.1 that is free, and that this process gets only once. The kernel gives none of these ports to
/// outgoing connections, so none can take it before it is listened on.
package func freePort() throws -> UInt16 {
    for _ in 0..<1000 {
        let port = lastPort.withLock { last in
            last = last < 31_999 ? last + 1 : 15_000
            return last
        }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(descriptor) }
        let isFree = withLoopbackAddress(port: port) { bind(descriptor, $0, $1) } == 0
        if isFree { return port }
    }
    throw Nginx.Failure(description: "no free port on 127.0.0.1")
}

/// Test processes that run at the same time begin at different ports.
private let lastPort = Mutex(UInt16(15_000 + Int(getpid()) % 160 * 100))

/// Sends a request to a server on 127.0.0.1 that closes after its answer, and returns that.
package func exchange(port: UInt16, request: String) throws -> String {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(descriptor) }
    var limit = timeval(tv_sec: 60, tv_usec: 0)
    setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let isConnected = withLoopbackAddress(port: port) { connect(descriptor, $0, $1) } == 0
    guard isConnected, send(descriptor, request, request.utf8.count, Int32(MSG_NOSIGNAL)) > 0 else {
        throw Nginx.Failure(description: "nothing listens on port \(port)")
    }
    var answer: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while case let count = recv(descriptor, &chunk, chunk.count, 0), count > 0 { answer += chunk[..<count] }
    return String(decoding: answer, as: UTF8.self)
}
