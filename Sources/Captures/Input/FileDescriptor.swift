import Glibc

/// The few system calls that captures need, on a descriptor that is closed at the end if it was opened here.
struct FileDescriptor: ~Copyable, Sendable {
    let path: String
    private let number: Int32
    private let isOwned: Bool
    /// Whether it is a regular file, which never has to be waited for.
    private let isFile: Bool

    /// A descriptor of the caller, who closes it.
    init(borrowing number: Int32, path: String) {
        self.number = number
        self.path = path
        isOwned = false
        isFile = Self.isFile(number)
    }

    /// Opens a file for reading; `-` is standard input.
    init(reading path: String) throws(CaptureError) {
        try self.init(path, flags: O_RDONLY, standard: STDIN_FILENO)
    }

    /// Creates a file, or opens an existing one, which keeps its content until `empty`; `-` is standard output.
    init(creating path: String) throws(CaptureError) {
        try self.init(path, flags: O_WRONLY | O_CREAT, standard: STDOUT_FILENO)
    }

    /// Empties a file that was opened here. Does nothing for other descriptors.
    func empty() {
        if isOwned, isFile { ftruncate(number, 0) }
    }

    // What throws comes first: Swift 6.2 destroys fields that have no value yet.
    private init(_ path: String, flags: Int32, standard: Int32) throws(CaptureError) {
        let isOwned = path != "-"
        let number = isOwned ? try Self.opened(path, flags: flags) : standard
        self.path = isOwned ? path : standard == STDIN_FILENO ? "standard input" : "standard output"
        self.number = number
        self.isOwned = isOwned
        isFile = Self.isFile(number)
    }

    private static func opened(_ path: String, flags: Int32) throws(CaptureError) -> Int32 {
        var opened: Int32
        repeat { opened = open(path, flags | O_CLOEXEC, 0o644) } while opened < 0 && errno == EINTR
        guard opened >= 0 else { throw failure("cannot open it", path: path, code: errno) }
        return opened
    }

    private static func isFile(_ number: Int32) -> Bool {
        var status = stat()
        return fstat(number, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
    }

    deinit {
        if isOwned { close(number) }
    }

    /// Reads the available bytes, at least one; waits for it. Returns 0 at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(CaptureError) -> Int {
        while true {
            let count = Glibc.read(number, buffer.baseAddress, buffer.count)
            if count >= 0 { return count }
            try recover(from: errno, waitingFor: POLLIN, "cannot read it")
        }
    }

    /// Whether reading would wait: the descriptor is an empty pipe or terminal. False for files.
    var wouldWait: Bool {
        guard !isFile else { return false }
        var entry = pollfd(fd: number, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 0
    }

    /// Writes some of the bytes, at least one. Returns how many.
    func write(_ bytes: RawSpan) throws(CaptureError) -> Int {
        while true {
            let count = bytes.withUnsafeBytes { Glibc.write(number, $0.baseAddress, $0.count) }
            if count > 0 || bytes.isEmpty { return count }
            try recover(from: count == 0 ? ENOSPC : errno, waitingFor: POLLOUT, "cannot write it")
        }
    }

    /// Returns when the call can be repeated. An inherited descriptor may be non-blocking.
    private func recover(from code: Int32, waitingFor event: Int32, _ what: String) throws(CaptureError) {
        switch code {
        case EINTR:
            break
        case EAGAIN:
            var entry = pollfd(fd: number, events: Int16(event), revents: 0)
            poll(&entry, 1, -1)
        default:
            throw Self.failure(what, path: path, code: code)
        }
    }

    private static func failure(_ what: String, path: String, code: Int32) -> CaptureError {
        CaptureError(.inputOutput, path: path, detail: "\(what): \(String(cString: strerror(code)))")
    }
}
