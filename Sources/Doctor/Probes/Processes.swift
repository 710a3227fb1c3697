import Glibc
import Radio

/// Processes, from /proc. proc(5).
enum Processes {
    static var all: [Int] { KernelFiles.names(in: "/proc").compactMap { Int($0) }.sorted() }

    static func name(_ process: Int) -> String? { KernelFiles.lines("/proc/\(process)/comm").first }

    static func first(named name: String) -> Int? { all.first { self.name($0) == name } }
}

/// Programs with an open Bluetooth socket, as far as this user may see them. The kernel lists the sockets in
/// /proc/net/hci, and the descriptors of each process in /proc/PID/fd.
enum SocketHolders {
    static func text(_ before: String, _ after: String, ifNone: String = "") -> String {
        let sockets = sockets()
        var left = sockets
        var programs: [String] = []
        for process in Processes.all where process != Int(getpid()) {
            let own = sockets.intersection(descriptors(of: process))
            guard !own.isEmpty, let name = Processes.name(process) else { continue }
            left.subtract(own)
            programs.append("\(name) (process \(process))")
        }
        left.subtract(descriptors(of: Int(getpid())))
        if !left.isEmpty { programs.append("\(left.count) more of other users") }
        return programs.isEmpty ? ifNone : before + programs.joined(separator: ", ") + after
    }

    /// The inodes of all HCI sockets (the last column but one).
    private static func sockets() -> Set<String> {
        Set(
            KernelFiles.lines("/proc/net/hci").dropFirst().compactMap { line in
                let columns = line.split(separator: " ")
                return columns.count >= 2 ? String(columns[columns.count - 2]) : nil
            })
    }

    /// The inodes of a process's sockets.
    private static func descriptors(of process: Int) -> Set<String> {
        Set(
            KernelFiles.names(in: "/proc/\(process)/fd").compactMap { name in
                guard let target = KernelFiles.target(ofLink: "/proc/\(process)/fd/\(name)"),
                    target.hasPrefix("socket:[")
                else { return nil }
                return String(target.dropFirst("socket:[".count).dropLast())
            })
    }
}
