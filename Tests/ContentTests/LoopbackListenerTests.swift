import Foundation
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10)))
struct LoopbackListenerTests {
    @Test("a socket that was closed does not end another one that has its number now")
    func closedSocket() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &ends) == 0)
        defer { for end in ends { close(end) } }
        // Nearly the highest number: tests beside this one get the lowest that are free, and may have a thousand open.
        let lowest = Int32(max(1024, min(sysconf(Int32(_SC_OPEN_MAX)), 16_384)) - 64)
        let number = fcntl(ends[0], F_DUPFD_CLOEXEC, lowest)
        try #require(number >= lowest)
        let socket = SharedSocket(number)
        socket.close()
        let next = fcntl(ends[0], F_DUPFD_CLOEXEC, number)
        try #require(next == number)
        defer { close(next) }
        socket.shutDown()
        #expect(send(next, "x", 1, Int32(MSG_NOSIGNAL)) == 1)
    }

    @Test("a listener takes connections until it is stopped, which may be more than once")
    func stopped() async throws {
        let listener = try LoopbackListener { connection in
            send(connection, "hello", 5, Int32(MSG_NOSIGNAL))
            close(connection)
        }
        let client = try RawConnection(port: Int(listener.port))
        try await client.waitUntil("it is greeted") { $0.text == "hello" && $0.isOver }
        for _ in 0..<2 { listener.stop() }
        #expect(throws: RunningProgram.Failure.self) { try RawConnection(port: Int(listener.port)) }
    }
}
