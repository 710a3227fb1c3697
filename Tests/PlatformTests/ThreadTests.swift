import Dispatch
import Glibc
import Platform
import Synchronization
import TestSupport
import Testing

@Suite("Threads, semaphores and what wakes them", .timeLimit(.minutes(10)))
struct ThreadTests {
    @Test("a semaphore lets so many pass, and the others in the order in which they came")
    func semaphore() async throws {
        let semaphore = AsyncSemaphore(value: 2)
        await semaphore.wait()
        await semaphore.wait()
        let (passed, continuation) = AsyncStream.makeStream(of: Int.self)
        var waiting: [Task<Void, Never>] = []
        for number in 0..<5 {
            let (started, mark) = AsyncStream.makeStream(of: Void.self)
            waiting.append(
                Task {
                    mark.finish()
                    await semaphore.wait()
                    continuation.yield(number)
                    semaphore.signal()
                })
            // The next one comes later.
            for await _ in started {}
            try await waitUntil("it waits") { semaphore.waiters > number }
        }
        semaphore.signal()
        var order: [Int] = []
        for await number in passed {
            order.append(number)
            if order.count == 5 { break }
        }
        #expect(order == [0, 1, 2, 3, 4])
        for task in waiting { await task.value }
        #expect(semaphore.waiters == 0)
    }

    @Test("a task that is cancelled leaves the queue of a semaphore, and the next one passes in its place")
    func cancelledWaiter() async throws {
        let semaphore = AsyncSemaphore(value: 1)
        await semaphore.wait()
        let gone = Task { await semaphore.waitUnlessCancelled() }
        try await waitUntil("it waits") { semaphore.waiters == 1 }
        let next = Task { await semaphore.waitUnlessCancelled() }
        try await waitUntil("the next one waits") { semaphore.waiters == 2 }
        gone.cancel()
        #expect(await !gone.value)
        #expect(semaphore.waiters == 1)
        semaphore.signal()
        #expect(await next.value)
        let late = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await semaphore.waitUnlessCancelled()
        }
        #expect(await !late.value)
        semaphore.signal()
        #expect(await semaphore.waitUnlessCancelled())
    }

    @Test(
        "a thread that rests is awake in time, also where the wall clock is set back",
        .enabled(if: ClockShift.library != nil, "\(ClockShift.missing)"), arguments: [3600, -3600])
    func clockSetBack(ahead: Int) async throws {
        // To a wait that goes by the wall clock, a clock that is ahead is one that the kernel has set back.
        let (program, arguments) = try ClockShift.command(Programs.testHelper, ["rest", "50"], ahead: ahead)
        let outcome = try await RunningProgram.run(program, arguments)
        #expect(outcome.status == 0 && outcome.output == "rested\n", "\(outcome)")
    }

    @Test("a waker makes its descriptor readable until it is reset")
    func wake() throws {
        let wake = try WakeDescriptor()
        func isReadable() -> Bool {
            var watched = pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0)
            return poll(&watched, 1, 0) == 1
        }
        #expect(!isReadable())
        wake.wake()
        wake.wake()
        #expect(isReadable())
        wake.reset()
        #expect(!isReadable())
        // Without anything to reset it does not block.
        wake.reset()
    }

    @Test("what runs on a thread of its own gives its result, or its error")
    func run() async throws {
        struct Problem: Error {}
        #expect(try await OwnThread.run { 6 * 7 } == 42)
        await #expect(throws: Problem.self) { try await OwnThread.run { throw Problem() } }
    }

    @Test("a hundred that block do so beside each other, and hold up no task")
    func beside() async throws {
        let meeting = Meeting(of: 100)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<100 {
                group.addTask { try await OwnThread.run { meeting.attend() } }
            }
            try await group.waitForAll()
        }
        #expect(meeting.isComplete)
    }

    /// Blocks everyone until all are there: for more threads than the cooperative pool has.
    private final class Meeting: Sendable {
        private let size: Int
        private let present = Mutex(0)
        private let all = DispatchSemaphore(value: 0)

        init(of size: Int) {
            self.size = size
        }

        var isComplete: Bool { present.withLock(\.self) == size }

        func attend() {
            let count = present.withLock { count in
                count += 1
                return count
            }
            if count == size { for _ in 0..<size { all.signal() } }
            all.wait()
        }
    }
}
