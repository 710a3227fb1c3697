import Broker
import Foundation
import MQTT
import TestSupport
import Testing

@Suite("The outbox")
struct OutboxTests {
    private func filled(_ count: Int, capacity: Int = 1000) -> Outbox {
        var outbox = Outbox(capacity: capacity)
        for number in 0..<count { outbox.add(event: UInt64(100 + number), kind: "entered", json: "{\"n\":\(number)}") }
        return outbox
    }

    /// All that can be sent before anything is acknowledged.
    private func sendable(_ outbox: inout Outbox) -> [UInt64] {
        var sequences: [UInt64] = []
        while let entry = outbox.next() { sequences.append(entry.sequence) }
        return sequences
    }

    @Test("hands events on in order, and so many at the same time only")
    func handsEvents() {
        var outbox = filled(50)
        let first = sendable(&outbox)
        #expect(first == Array(1...20))
        for sequence in first { outbox.acknowledge(sequence) }
        #expect(outbox.count == 30)
        #expect(sendable(&outbox) == Array(21...40))
    }

    @Test("sends again what was under way when the connection was lost")
    func sendsAgain() {
        var outbox = filled(5)
        #expect(sendable(&outbox) == [1, 2, 3, 4, 5])
        outbox.acknowledge(1)
        outbox.acknowledge(2)
        outbox.rewind()
        #expect(sendable(&outbox) == [3, 4, 5])
    }

    @Test("keeps an event until it and all before it are acknowledged")
    func keepsEvent() {
        var outbox = filled(3)
        _ = sendable(&outbox)
        outbox.acknowledge(2)
        outbox.acknowledge(3)
        #expect(outbox.count == 3)
        outbox.acknowledge(1)
        #expect(outbox.count == 0)
    }

    @Test("ignores acknowledgements of what was not sent")
    func ignoresAcknowledgements() {
        var outbox = filled(3)
        for sequence: UInt64 in [0, 1, 2, 3, 4, .max] { outbox.acknowledge(sequence) }
        #expect(outbox.count == 3)
    }

    @Test("drops the oldest when it is full, and counts them")
    func dropsOldest() {
        let outbox = filled(25, capacity: 10)
        #expect(outbox.count == 10)
        #expect(outbox.dropped == 15)
        #expect(outbox.entries.map(\.sequence) == Array(16...25))
    }

    @Test("is bounded in bytes too")
    func isBounded() {
        var outbox = Outbox(capacity: 1000, byteCapacity: 10_000)
        for number in 0..<100 {
            outbox.add(event: UInt64(number), kind: "site", json: String(repeating: "x", count: 1000))
        }
        #expect(outbox.bytes <= 10_000)
        #expect(outbox.dropped + outbox.count == 100)
        #expect(outbox.entries.last?.event == 99)
    }

    @Test("loses and doubles nothing whatever happens")
    func losesAndDoubles() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<200 {
            var outbox = Outbox(capacity: 10_000)
            var (added, acknowledged, underWay): (UInt64, Set<UInt64>, [UInt64]) = (0, [], [])
            for _ in 0..<200 {
                switch Int.random(in: 0..<10, using: &generator) {
                case 0..<4:
                    added += 1
                    let entry = outbox.add(event: added, kind: "nearest", json: "{}")
                    #expect(entry.sequence == added)
                case 4..<7:
                    guard let entry = outbox.next() else { continue }
                    #expect(!acknowledged.contains(entry.sequence))
                    #expect(underWay.last.map { $0 < entry.sequence } ?? true)
                    underWay.append(entry.sequence)
                case 7..<9:
                    guard let index = underWay.indices.randomElement(using: &generator) else { continue }
                    let sequence = underWay.remove(at: index)
                    acknowledged.insert(sequence)
                    outbox.acknowledge(sequence)
                default:
                    outbox.rewind()
                    // What had been acknowledged out of order stays so.
                    underWay = []
                }
            }
            let kept = Set(outbox.entries.map(\.sequence))
            for sequence in 1..<(added + 1) where !acknowledged.contains(sequence) { #expect(kept.contains(sequence)) }
        }
    }
}

@Suite("The outbox's file")
struct OutboxFileTests {
    private func entries(_ range: ClosedRange<UInt64>) -> [Outbox.Entry] {
        range.map { Outbox.Entry(sequence: $0, event: 1000 + $0, kind: "entered", json: "{\"text\":\"a b \($0)\"}") }
    }

    @Test("gives back what was put in")
    func givesBack() throws {
        let path = try temporaryFolder("outbox") + "/deep/outbox"
        var outbox = Outbox(capacity: 100)
        var file = OutboxFile(path: path)
        for number in 1...5 {
            file.append([outbox.add(event: UInt64(number), kind: "nearest", json: "{\"é\":\"\(number)\"}")], of: outbox)
        }
        #expect(file.problem == nil)
        let contents = try OutboxFile(path: path).read()
        #expect(contents.entries == Array(outbox.entries))
        #expect(contents.nextSequence == 6)
        #expect(contents.lastEvent == 5)
        #expect(contents.damaged == 0)
    }

    @Test("forgets what is settled, but not the numbers")
    func forgetsWhatIsSettled() throws {
        let path = try temporaryFolder("outbox") + "/outbox"
        var outbox = Outbox(capacity: 100)
        var file = OutboxFile(path: path)
        for number in 1...3 { file.append([outbox.add(event: UInt64(number), kind: "site", json: "{}")], of: outbox) }
        while let entry = outbox.next() { outbox.acknowledge(entry.sequence) }
        file.settle(outbox)
        let contents = try OutboxFile(path: path).read()
        #expect(contents.entries == [])
        #expect(contents.nextSequence == 4)
        #expect(contents.lastEvent == 3)
    }

    @Test("does not grow while everything is settled")
    func doesNotGrow() throws {
        let path = try temporaryFolder("outbox") + "/outbox"
        var outbox = Outbox(capacity: 100)
        var file = OutboxFile(path: path)
        let json = "{\"text\":\"\(String(repeating: "x", count: 1000))\"}"
        for number in 1...2000 {
            file.append([outbox.add(event: UInt64(number), kind: "site", json: json)], of: outbox)
            while let entry = outbox.next() { outbox.acknowledge(entry.sequence) }
            file.settle(outbox)
        }
        let size = try #require(try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int)
        #expect(size < 600_000)
        #expect(try OutboxFile(path: path).read().nextSequence == 2001)
    }

    @Test("goes on in memory where the disk fails, and catches up")
    func goesOnInMemory() throws {
        let folder = try temporaryFolder("outbox")
        // A file stands where the folder should be.
        try "".write(toFile: folder + "/state", atomically: true, encoding: .utf8)
        var outbox = Outbox(capacity: 100)
        var file = OutboxFile(path: folder + "/state/outbox")
        file.append([outbox.add(event: 1, kind: "site", json: "{}")], of: outbox)
        #expect(file.problem?.contains(folder) == true)
        try FileManager.default.removeItem(atPath: folder + "/state")
        file.append([outbox.add(event: 2, kind: "site", json: "{}")], of: outbox)
        #expect(file.problem == nil)
        #expect(try OutboxFile(path: file.path).read().entries.map(\.event) == [1, 2])
    }

    @Test("that cannot be read is not taken for an empty one, and a missing one is empty")
    func unreadable() throws {
        let folder = try temporaryFolder("outbox")
        // Opened like any file, but not read.
        let problem = try #require(throws: BrokerProblem.self) { try OutboxFile(path: folder).read() }
        #expect("\(problem)".hasPrefix("\(folder), in which events wait, cannot be read: "))
        let long = folder + "/" + String(repeating: "x", count: 300)
        #expect(throws: BrokerProblem.self) { try OutboxFile(path: long).read() }
        #expect(try OutboxFile(path: folder + "/none").read().entries == [])
        #expect(try OutboxFile(path: folder + "/none/outbox").read().entries == [])
    }

    @Test("cut anywhere gives the events that were whole")
    func cutAnywhere() throws {
        let all = entries(1...6)
        let text =
            OutboxJournal.header + OutboxJournal.settled(0, lastEvent: nil)
            + all.map(OutboxJournal.line).joined() + OutboxJournal.settled(2, lastEvent: 1006)
        let bytes = Array(text.utf8)
        for end in 0...bytes.count {
            let contents = OutboxJournal.contents(of: bytes[..<end])
            #expect(contents.damaged == 0)
            let isSettled = end == bytes.count
            #expect(contents.entries == (isSettled ? Array(all[2...]) : Array(all.prefix(contents.entries.count))))
            if end == bytes.count - 1 { #expect(contents.entries == all) }
        }
    }

    @Test("with damage gives the rest")
    func withDamage() {
        let all = entries(1...4)
        let lines = all.map(OutboxJournal.line)
        let text =
            OutboxJournal.header + lines[0] + "\0\0\0\n" + lines[1] + "+ 3 x entered {}\n" + lines[2] + lines[1]
            + lines[3]
        let contents = OutboxJournal.contents(of: Array(text.utf8))
        #expect(contents.entries == all)
        #expect(contents.damaged == 3)
    }

    @Test("with a number that leaves none for further events gives the rest")
    func lastNumber() {
        let all = entries(1...2)
        let text = OutboxJournal.header + all.map(OutboxJournal.line).joined() + "- 18446744073709551614 0\n"
        let contents = OutboxJournal.contents(of: Array(text.utf8))
        #expect(contents.entries == all && contents.damaged == 1 && contents.nextSequence == 3)
    }

    @Test("is read from anything without harm")
    func isRead() {
        var generator = SeededGenerator(seed: 5)
        let valid = Array((OutboxJournal.header + entries(1...8).map(OutboxJournal.line).joined()).utf8)
        for round in 0..<3000 {
            var bytes = round % 3 == 0 ? (0..<200).map { _ in UInt8.random(in: 0...255, using: &generator) } : valid
            for _ in 0..<Int.random(in: 0...6, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] =
                    [10, 32, 43, 45, 0, 57, 255].randomElement(using: &generator) ?? 0
            }
            let contents = OutboxJournal.contents(of: bytes)
            let sequences = contents.entries.map(\.sequence)
            #expect(zip(sequences, sequences.dropFirst()).allSatisfy { $0 < $1 })
            #expect(contents.entries.allSatisfy { !$0.json.contains("\n") && $0.sequence < contents.nextSequence })
        }
    }
}
