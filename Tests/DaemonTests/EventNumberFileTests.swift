import Beacon
import Daemon
import Events
import Foundation
import TestSupport
import Testing

@Suite("The file of the events' numbers")
struct EventNumberFileTests {
    private let folder: String

    init() throws {
        folder = try temporaryFolder("numbers")
    }

    private func hub(_ file: EventNumberFile, _ seconds: Double) -> EventHub {
        EventHub(names: Names(), after: file.read()) { Timestamp(seconds: seconds) }
    }

    @Test("numbers rise after an end and after a kill, with the clock an hour behind")
    func numbersRise() {
        let file = EventNumberFile(directory: folder + "/state")
        #expect(file.read() == 0)
        let first = hub(file, 1_700_000_000)
        file.reserve(beyond: first.lastID)
        for number in 0..<100 { first.publish(.over(source: "\(number)")) }
        // Killed: what was reserved counts.
        let second = hub(EventNumberFile(directory: folder + "/state"), 1_699_996_400)
        #expect(second.lastID > first.lastID)
        second.publish(.over(source: "x"))
        EventNumberFile(directory: folder + "/state").finish(at: second.lastID)
        let third = hub(EventNumberFile(directory: folder + "/state"), 1_699_996_400)
        #expect(third.lastID == second.lastID)
    }

    @Test(
        "a file that makes no sense does no harm",
        arguments: ["", "x", "-5", "99999999999999999999", "9007199254740993", "12 monkeys"])
    func fileThatMakes(text: String) throws {
        try text.write(toFile: folder + "/event-number", atomically: false, encoding: .utf8)
        let file = EventNumberFile(directory: folder)
        #expect(file.read() < 1 << 52)
        #expect(hub(file, 1_700_000_000).lastID == 1_700_000_000_000_000 - 1)
    }

    @Test("a folder that cannot be written does no harm")
    func folderThatCannot() {
        let file = EventNumberFile(directory: "/proc/none")
        file.reserve(beyond: 5)
        file.finish(at: 7)
        #expect(file.read() == 0)
    }
}
