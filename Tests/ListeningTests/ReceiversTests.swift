import Beacon
import Listening
import Testing

@Suite("Receivers")
struct ReceiversTests {
    @Test("sources have the numbers of their places, and scanners that they name have the next")
    func numbers() {
        let receivers = Receivers(sources: ["hci0", "file:walk.csv"])
        #expect(receivers.id(ofScanner: "attic", from: 1) == 2)
        #expect(receivers.id(ofScanner: "cellar", from: 1) == 3)
        #expect(receivers.id(ofScanner: "attic", from: 1) == 2)
        #expect(receivers.id(ofScanner: "attic", from: 0) == 4)
        #expect(receivers.id(ofScanner: "attic", from: 9) == 9)
        #expect(receivers.names == ["hci0", "file:walk.csv", "attic", "cellar", "attic"])
        #expect(receivers.listed(from: 3).map(\.source) == ["file:walk.csv", "hci0"])
        #expect(receivers.listed(from: 9).isEmpty)
    }

    @Test("a source that comes later has a number of its own, and keeps it")
    func later() {
        let receivers = Receivers()
        #expect(receivers.id(ofSource: "file:a.csv") == 0)
        #expect(receivers.id(ofScanner: "attic", from: 0) == 1)
        #expect(receivers.id(ofSource: "hci0") == 2)
        #expect(receivers.id(ofSource: "file:a.csv") == 0)
    }

    @Test("a source whose rows name one scanner is one receiver")
    func several() {
        let receivers = Receivers(sources: ["file:a.csv"])
        #expect(receivers.severalNames == nil)
        _ = receivers.id(ofScanner: "attic", from: 0)
        #expect(receivers.severalNames == nil)
        _ = receivers.id(ofScanner: "cellar", from: 0)
        #expect(receivers.severalNames == ["file:a.csv", "attic", "cellar"])
        #expect(Receivers(sources: ["hci0", "hci1"]).severalNames == ["hci0", "hci1"])
    }

    @Test("a source whose rows name their scanners is no scanner, unless a row has no name")
    func scanners() {
        let receivers = Receivers(sources: ["file:a.csv", "file:silent.btsnoop"])
        #expect(receivers.scannerNames(heard: []) == ["file:a.csv", "file:silent.btsnoop"])
        let attic = receivers.id(ofScanner: "attic", from: 0)
        #expect(receivers.scannerNames(heard: [attic]) == ["file:silent.btsnoop", "attic"])
        #expect(receivers.scannerNames(heard: [attic, 0]) == ["file:a.csv", "file:silent.btsnoop", "attic"])
        let named = Receivers(sources: ["file:a.btsnoop"])
        _ = named.name(0, asScanner: "hci4")
        _ = named.id(ofScanner: "hci2", from: 0)
        #expect(named.scannerNames(heard: []) == ["hci4", "hci2"])
    }

    @Test("a source that proves to be several scanners is the first of them, and no further receiver")
    func named() {
        let receivers = Receivers(sources: ["hci9", "file:a.btsnoop"])
        #expect(!receivers.isNamed(1))
        #expect(receivers.name(1, asScanner: "hci4") == 1)
        #expect(receivers.id(ofScanner: "hci2", from: 1) == 2)
        #expect(receivers.id(ofScanner: "hci4", from: 1) == 1)
        #expect(receivers.name(1, asScanner: "hci2") == 2)
        #expect(receivers.isNamed(1) && !receivers.isNamed(0) && !receivers.isNamed(9))
        #expect(receivers.severalNames == ["hci9", "hci4", "hci2"])
        #expect(receivers.named(from: 0).map(\.id) == [1])
        #expect(receivers.named(from: 0).map(\.receiver.source) == ["file:a.btsnoop"])
        #expect(receivers.named(from: 1).isEmpty)
        #expect(receivers.name(9, asScanner: "hci4") == 9)
    }

    @Test("a source with the name of a scanner is still found by its own")
    func foundAgain() {
        let receivers = Receivers()
        #expect(receivers.id(ofSource: "file:a.btsnoop") == 0)
        #expect(receivers.name(0, asScanner: "hci4") == 0)
        #expect(receivers.id(ofScanner: "hci2", from: 0) == 1)
        #expect(receivers.id(ofSource: "file:a.btsnoop") == 0)
    }

    @Test("there are numbers for 65,536 receivers; the rest count as their source")
    func bounded() {
        let receivers = Receivers(sources: ["file:a.csv"])
        for index in 1...SourceID.last.place { _ = receivers.id(ofScanner: "\(index)", from: 0) }
        #expect(receivers.count == 65_536)
        #expect(receivers.id(ofScanner: "one more", from: 0) == 0)
    }
}
