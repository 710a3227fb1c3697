import Beacon
import Events
import Health
import Testing

@Suite("Names of beacons")
struct NamesTests {
    private let names = Names()

    private func id(_ uuid: UInt128, _ minor: UInt16 = 7) -> BeaconID {
        BeaconID(uuid: ProximityUUID(uuid), major: 1, minor: minor)
    }

    private func known(_ entries: [String: String]) -> KnownBeacons {
        var known = KnownBeacons()
        for (key, name) in entries {
            if let key = BeaconKey(key) { known[key] = .init(name: name) }
        }
        return known
    }

    @Test("the configuration's count more than the site's, whichever came first")
    func precedence() {
        names.add([id(1): "scenario"])
        names.replaceListed(with: [id(1): "site", id(1, 8): "site"])
        names.configure(known(["1.7": "ours"]))
        #expect(names.given(id(1)) == "ours")
        names.replaceListed(with: [id(1): "newer", id(1, 8): "newer"])
        names.add([id(1): "manifest"])
        #expect(names.all == [id(1): "ours", id(1, 8): "newer"])
        names.configure(known([:]))
        #expect(names.all == [id(1): "newer", id(1, 8): "newer"])
    }

    @Test("a name without a UUID becomes that of the beacons that are received, and of few")
    func meeting() {
        names.configure(known(["1.7": "ours"]))
        #expect(names.all.isEmpty)
        #expect(names.given(id(5)) == "ours", "also before")
        #expect(names.everyName == ["ours"], "which is no mistake of who asks for it")
        names.meet([id(5), id(5, 9)])
        #expect(names.all == [id(5): "ours"])
        names.meet((100..<200).map { id(UInt128($0)) })
        #expect(names.all.count == 8, "a flood of UUIDs makes no flood of names")
        #expect(names.all[id(5)] == "ours")
        names.configure(known(["1.7": "renamed"]))
        #expect(Set(names.all.values) == ["renamed"])
        names.configure(known([:]))
        #expect(names.all.isEmpty && names.given(id(5)) == nil)
    }

    @Test("a name without a UUID becomes that of a beacon that is missing since a restart")
    func missing() {
        names.configure(known(["1.7": "ours"]))
        EventHub(names: names).publish(.known([BeaconHealth(beacon: id(5)), BeaconHealth(beacon: id(5, 9))]))
        #expect(names.all == [id(5): "ours"])
    }

    @Test("are made printable and bounded, wherever they come from")
    func bounded() {
        names.configure(known(["1.7": "a\u{1B}[31m" + String(repeating: "x", count: 500)]))
        let name = names.given(id(1)) ?? ""
        #expect(!name.isEmpty && name.count <= 210 && !name.contains("\u{1B}"))
    }
}
