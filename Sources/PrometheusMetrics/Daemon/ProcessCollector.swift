import Console
import Glibc

extension MetricRegistry {
    /// Adds what the kernel reports of this process, and the build. proc(5); unreadable values are left out.
    package func addProcess() {
        add { set in
            #if arch(x86_64)
                let architecture = "x86_64"
            #elseif arch(arm64)
                let architecture = "arm64"
            #else
                let architecture = "other"
            #endif
            set.set(.build, [MetricLabel("version", Program.version), MetricLabel("arch", architecture)], to: 1)
            if let statistics = ProcessStatistics.current { statistics.write(into: &set) }
        }
    }
}

/// Values from /proc/self/stat.
private struct ProcessStatistics {
    var cpu: Double
    var threads: Double
    var start: Double?
    var virtualMemory: Double
    var residentMemory: Double

    static var current: ProcessStatistics? {
        // The second field is the program's name in parentheses. It may contain any characters.
        guard let text = file("/proc/self/stat"), let end = text.lastIndex(of: ")") else { return nil }
        let fields = text[end...].split(separator: " ").dropFirst().map { Double($0) }
        // proc(5) counts fields from 1, and the name is the second, so the first field here is its third.
        func field(_ number: Int) -> Double? { fields.indices.contains(number - 3) ? fields[number - 3] : nil }
        let ticks = Double(sysconf(Int32(_SC_CLK_TCK)))
        guard ticks > 0, let user = field(14), let system = field(15), let threads = field(20), let start = field(22),
            let virtual = field(23), let pages = field(24)
        else { return nil }
        return ProcessStatistics(
            cpu: (user + system) / ticks, threads: threads, start: bootTime.map { $0 + start / ticks },
            virtualMemory: virtual, residentMemory: pages * Double(sysconf(Int32(_SC_PAGESIZE))))
    }

    func write(into set: inout MetricSet) {
        set.set(.cpu, to: cpu)
        set.set(.threads, to: threads)
        set.set(.virtualMemory, to: virtualMemory)
        set.set(.residentMemory, to: residentMemory)
        if let start { set.set(.startTime, to: start) }
        if let count = Self.openFiles { set.set(.openFiles, to: count) }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur != rlim_t.max {
            set.set(.fileLimit, to: Double(limit.rlim_cur))
        }
    }

    /// The time of the machine's start, in seconds since the epoch. It comes from the clocks, because /proc/stat may be
    /// hidden (ProcSubset=pid).
    private static var bootTime: Double? {
        var now = timespec()
        var sinceBoot = timespec()
        guard clock_gettime(CLOCK_REALTIME, &now) == 0, clock_gettime(CLOCK_BOOTTIME, &sinceBoot) == 0 else {
            return nil
        }
        return Double(now.tv_sec - sinceBoot.tv_sec) + Double(now.tv_nsec - sinceBoot.tv_nsec) / 1e9
    }

    private static var openFiles: Double? {
        guard let directory = opendir("/proc/self/fd") else { return nil }
        defer { closedir(directory) }
        // Not ".", "..", and the descriptor of the listing itself.
        var count = -3
        while readdir(directory) != nil { count += 1 }
        return Double(max(0, count))
    }

    private static func file(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = read(descriptor, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
