import Beacon
import Fleet
import FleetFormat
import Rooms
import Testing
import Text

@Suite struct FleetViewTests {
    private func view(_ messages: [(String, String)]) -> FleetView {
        var view = FleetView(prefix: "beacond")
        for (topic, payload) in messages { view.take("beacond/\(topic)", Array(payload.utf8)) }
        return view
    }

    @Test("scanners are told by floor and room, and as they are", arguments: [
        (#"{"scanner":"ok","room":"A"}"#, nil, .ok), (#"{"scanner":"ok","room":"A"}"#, "online", .ok),
        (#"{"scanner":"ok","room":"A"}"#, "offline", .offline), (#"{"scanner":"blind","room":"A"}"#, "online", .blind),
        (#"{"scanner":"blind"}"#, "offline", .offline),
    ] as [(String, String?, FleetView.Scanner.State)])
    func states(message: String, status: String?, expected: FleetView.Scanner.State) {
        let status = status.map { [("pi-1/status", $0)] } ?? []
        #expect(view([("pi-1/scanner", message)] + status).scanners.map(\.state) == [expected])
    }

    @Test("a node whose bridge is gone is offline")
    func bridge() {
        let node = ("kitchen/scanner", #"{"scanner":"ok","room":"Kitchen","bridge":"pi-9"}"#)
        #expect(view([node, ("pi-9/status", "online")]).scanners.map(\.state) == [.ok])
        #expect(view([node, ("pi-9/status", "offline")]).scanners.map(\.state) == [.offline])
    }

    @Test("when a scanner was heard last is what any living resolver says, and a dead one says nothing")
    func hearing() {
        let heard =
            #"{"time":"2026-01-01T00:01:00Z","scanners":{"pi-1":{"second":1767225659,"clock_ms":-5,"late":1,"ahead":2,"dropped":3}}}"#
        let messages = [("pi-1/scanner", #"{"scanner":"ok","room":"A"}"#), ("fleet/resolvers/one/scanners", heard)]
        let living = view(messages + [("fleet/resolvers/one", "answering")])
        #expect(living.scanners.first?.lastHeard == 1_767_225_659)
        #expect(living.scanners.first?.lost == 6)
        #expect(living.scanners.first?.clock == -5)
        #expect(living.resolvers.map(\.name) == ["one"] && living.resolvers.first?.second == 1_767_225_660)
        #expect(view(messages + [("fleet/resolvers/one", "offline")]).scanners.first?.lastHeard == nil)
    }

    @Test(
        "one of which a resolver has heard nothing for ten seconds is offline, unless it has said something since",
        arguments: [
            (second: "1767225651", clock: "0", time: nil, state: .ok),
            ("1767225640", "0", nil, .offline), ("1767225640", "0", "2026-01-01T00:00:30Z", .offline),
            ("1767225640", "0", "2026-01-01T00:01:05Z", .ok), ("null", "0", "2026-01-01T00:00:30Z", .offline),
            // Nothing is known of it, or its clock may be wrong.
            ("null", "0", nil, .ok), ("1767225640", "null", nil, .ok),
        ] as [(second: String, clock: String, time: String?, state: FleetView.Scanner.State)])
    func silent(second: String, clock: String, time: String?, state: FleetView.Scanner.State) {
        let said = time.map { #","time":"\#($0)""# } ?? ""
        let heard =
            #"{"time":"2026-01-01T00:01:00Z","scanners":{"pi-1":{"second":\#(second),"clock_ms":\#(clock),"#
            + #""late":0,"ahead":0,"dropped":0}}}"#
        let fleet = view([
            ("pi-1/scanner", #"{"scanner":"ok","room":"A","bridge":"pi-9"\#(said)}"#), ("pi-1/status", "online"),
            ("pi-9/status", "online"), ("fleet/resolvers/one", "answering"), ("fleet/resolvers/one/scanners", heard),
        ])
        #expect(fleet.scanners.map(\.state) == [state])
    }

    @Test("a plan that has other rooms than the scanners and the lessons is compared by name and floor")
    func plan() {
        func outline(_ name: String, floor: Int = 0) -> RoomOutline {
            RoomOutline(
                room: .init(name: name, floor: floor),
                corners: [Position(x: 0, y: 0), Position(x: 4, y: 0), Position(x: 4, y: 3)])
        }
        let fleet = view([
            ("pi-1/scanner", #"{"scanner":"ok","room":"A"}"#),
            ("pi-2/scanner", #"{"scanner":"ok","room":"B","floor":1}"#),
            ("fleet/taught/1", #"{"room":"C","floor":0,"spots":[{"pi-1":14.2}]}"#),
        ])
        let same = fleet.mismatch(with: [outline("A"), outline("B", floor: 1), outline("C")])
        #expect(same == PlanMismatch() && same.lines.isEmpty)
        let other = fleet.mismatch(with: [outline("A"), outline("B"), outline("C")])
        #expect(other.notDrawn.map(\.floor) == [1] && other.onlyDrawn.map(\.name) == ["B"])
        #expect(fleet.mismatch(with: []) == PlanMismatch())
        let many = fleet.mismatch(with: [outline("A")] + (0..<12).map { outline("Room \($0)") })
        #expect(many.lines.count == 2 && many.lines[1].hasSuffix(" and 2 more"), "\(many.lines)")
    }

    @Test("tables fit any width, with names in Arabic and of 200 letters", arguments: [20, 60, 200])
    func table(width: Int) {
        let name = String(repeating: "W", count: 200)
        let view = view([
            (
                "pi-1/scanner",
                #"{"scanner":"blind","room":"قاعة النجوم","floor":-1,"blind_since":"2026-01-01T00:00:00Z"}"#
            ),
            (
                "\(name)/scanner",
                #"{"scanner":"ok","room":"\#(name)","version":"1.2","clock_ms":-90000,"clock_synchronised":false}"#
            ),
        ])
        let lines = view.lines(Terminal(isTerminal: true, columns: width))
        #expect(lines.dropLast(2).allSatisfy { displayWidth($0) < max(width, 30) }, "\(lines)")
        #expect(view.lines(Terminal(isTerminal: false)).contains { $0.contains("1.5 min ahead, no NTP") } == false)
        #expect(view.lines(Terminal(isTerminal: false)).contains { $0.contains("90.0 s ahead, no NTP") })
    }

    @Test("a flood of names is bounded")
    func flood() {
        let messages = (0..<5000).map { ("pi-\($0)/scanner", #"{"scanner":"ok"}"#) }
        #expect(view(messages).scanners.count == 1024)
    }
}
