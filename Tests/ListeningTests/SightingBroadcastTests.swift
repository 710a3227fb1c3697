import Beacon
import Listening
import TestSupport
import Testing

@Suite("Sightings for any number of readers", .timeLimit(.minutes(10)))
struct SightingBroadcastTests {
    private func sightings(_ numbers: Range<Int>) -> [Sighting] {
        numbers.map { number in
            let id = BeaconID(
                uuid: ProximityUUID(1), major: UInt16(number >> 16), minor: UInt16(truncatingIfNeeded: number))
            return Sighting(time: nil, rssi: -50, beacon: IBeacon(id: id, measuredPower: -59))
        }
    }

    private func numbers(_ sightings: [Sighting]?) -> [Int]? {
        sightings?.map { Int($0.beacon.id.major) << 16 | Int($0.beacon.id.minor) }
    }

    @Test("each reader gets all from its beginning, in order and in parts of at most the wished size")
    func order() async {
        let broadcast = SightingBroadcast()
        let first = broadcast.open()
        broadcast.push(sightings(0..<100))
        let second = broadcast.open()
        broadcast.push(sightings(100..<150))
        var parts: [[Int]] = []
        for _ in 0..<3 { parts.append(numbers(await first.next(atMost: 64)) ?? []) }
        #expect(parts.map(\.count) == [64, 64, 22])
        #expect(parts.flatMap { $0 } == Array(0..<150))
        #expect(numbers(await second.next(atMost: 1000)) == Array(100..<150))
        #expect(first.missed == 0 && second.missed == 0)
    }

    @Test("a slow reader loses the oldest, with their count; a fast one loses nothing")
    func slowReader() async {
        let broadcast = SightingBroadcast(capacity: 10)
        let (slow, fast) = (broadcast.open(), broadcast.open())
        var read: [Int] = []
        for start in stride(from: 0, to: 25, by: 5) {
            broadcast.push(sightings(start..<start + 5))
            read += numbers(await fast.next(atMost: 256)) ?? []
        }
        #expect(read == Array(0..<25))
        #expect(fast.missed == 0)
        #expect(slow.missed == 15)
        #expect(numbers(await slow.next(atMost: 4)) == Array(15..<19))
        broadcast.push(sightings(25..<35))
        #expect(numbers(await slow.next(atMost: 256)) == Array(25..<35))
        #expect(slow.missed == 21)
    }

    @Test("of more than the queue can hold, the newest are kept")
    func largeBatch() async {
        let broadcast = SightingBroadcast(capacity: 10)
        let reader = broadcast.open()
        broadcast.push(sightings(0..<7))
        broadcast.push(sightings(7..<40))
        #expect(broadcast.kept == 10)
        #expect(reader.missed == 30)
        #expect(numbers(await reader.next(atMost: 256)) == Array(30..<40))
    }

    @Test("any number of slow readers need no more memory than one")
    func bounded() async {
        let broadcast = SightingBroadcast(capacity: 4096)
        let readers = (0..<64).map { _ in broadcast.open() }
        for reader in readers.prefix(32) {
            broadcast.push(sightings(0..<10))
            _ = await reader.next(atMost: 1)
        }
        for start in stride(from: 0, to: 200_000, by: 2000) {
            broadcast.push(sightings(start..<start + 2000))
            #expect(broadcast.kept <= 4096)
        }
        #expect(broadcast.kept == 4096)
        for reader in readers { #expect(numbers(await reader.next(atMost: 1)) == [200_000 - 4096]) }
    }

    @Test("what all have read is not kept, and nothing where nobody reads")
    func freed() async {
        let broadcast = SightingBroadcast()
        broadcast.push(sightings(0..<10))
        #expect(broadcast.kept == 0)
        let (first, second) = (broadcast.open(), broadcast.open())
        broadcast.push(sightings(10..<20))
        _ = await first.next(atMost: 10)
        _ = await second.next(atMost: 4)
        broadcast.push(sightings(20..<30))
        #expect(broadcast.kept == 16)
        second.close()
        broadcast.push(sightings(30..<40))
        #expect(broadcast.kept == 20)
        #expect(numbers(await first.next(atMost: 256)) == Array(20..<40))
        first.close()
        #expect(broadcast.kept == 0)
    }

    @Test("a waiting reader is woken by a sighting, by its end and by a cancellation")
    func wakes() async throws {
        let broadcast = SightingBroadcast()
        let reader = broadcast.open()
        func waits() async throws { try await waitUntil("it waits") { broadcast.waitingReaders == 1 } }
        let waiting = Task { await reader.next(atMost: 256)?.count }
        try await waits()
        broadcast.push(sightings(0..<3))
        #expect(await waiting.value == 3)
        let cancelled = Task { await reader.next(atMost: 256) }
        try await waits()
        cancelled.cancel()
        #expect(await cancelled.value == nil)
        let closed = Task { await reader.next(atMost: 256) }
        try await waits()
        reader.close()
        #expect(await closed.value == nil)
    }

    @Test("a reader that is given up is closed")
    func givenUp() {
        let broadcast = SightingBroadcast()
        do {
            let reader = broadcast.open()
            broadcast.push(sightings(0..<3))
            #expect(broadcast.kept == 3)
            withExtendedLifetime(reader) {}
        }
        #expect(broadcast.kept == 0)
    }

    @Test("readers and the one who pushes may be on any threads")
    func threads() async {
        let broadcast = SightingBroadcast(capacity: 1000)
        let readers = (0..<8).map { _ in broadcast.open() }
        await withTaskGroup { group in
            for reader in readers {
                group.addTask {
                    var (last, count) = (-1, 0)
                    while last < 49_999, let part = numbers(await reader.next(atMost: 100)) {
                        #expect((1...100).contains(part.count))
                        let first = part.first ?? -1
                        #expect(first > last && part == Array(first..<first + part.count))
                        last = part.last ?? last
                        count += part.count
                    }
                    #expect(count + reader.missed == 50_000)
                }
            }
            group.addTask {
                for start in stride(from: 0, to: 50_000, by: 50) { broadcast.push(sightings(start..<start + 50)) }
            }
        }
    }
}
