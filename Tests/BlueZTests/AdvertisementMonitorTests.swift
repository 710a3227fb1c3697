import BlueZ
import Bus
import Testing

/// What bluetoothd reads of the monitor.
@Suite struct AdvertisementMonitorTests {
    private func call(_ path: String, _ interface: String?, _ member: String, _ body: [BusValue] = []) -> BusMessage {
        var call = BusMessage.call(":1.2", path, "a.b", member, body)
        call.interface = interface
        call.sender = ":1.1"
        call.serial = 9
        return call
    }

    private func answer(_ call: BusMessage) -> BusMessage {
        AdvertisementMonitor.answer(call, isFromDaemon: true).answer
    }

    @Test("the application and its monitor are listed as bluetoothd asks for them")
    func objects() throws {
        let answer = answer(
            call(AdvertisementMonitor.root, "org.freedesktop.DBus.ObjectManager", "GetManagedObjects"))
        #expect(answer.destination == ":1.1")
        #expect(answer.replySerial == 9)
        let body = try BusMessage(marshalled: answer.marshalled()).body
        #expect(body.map(\.typeSignature) == ["a{oa{sa{sv}}}"])
        let monitor = body.first?[AdvertisementMonitor.path]?["org.bluez.AdvertisementMonitor1"]
        #expect(monitor?["Type"] == .string("or_patterns"))
        #expect(monitor?["RSSISamplingPeriod"] == .uint16(0))
        #expect(monitor?["Patterns"]?.typeSignature == "a(yyay)")
    }

    @Test("the monitor's properties can be read, all and one by one")
    func properties() {
        let all = answer(
            call(
                AdvertisementMonitor.path, "org.freedesktop.DBus.Properties", "GetAll",
                [.string("org.bluez.AdvertisementMonitor1")]))
        #expect(all.body == [AdvertisementMonitor.properties])
        let one = answer(
            call(AdvertisementMonitor.path, nil, "Get", [.string("org.bluez.AdvertisementMonitor1"), .string("Type")]))
        #expect(one.body == [.variant(.string("or_patterns"))])
        let none = answer(
            call(AdvertisementMonitor.path, nil, "Get", [.string("org.bluez.AdvertisementMonitor1"), .string("X")]))
        #expect(none.failure?.name == .unknownProperty)
    }

    @Test("bluetoothd's calls become events")
    func events() {
        let interface = "org.bluez.AdvertisementMonitor1"
        let expected: [(String, [BusValue], AdvertisementMonitor.Event?)] = [
            ("Activate", [], .activated), ("Release", [], .released), ("DeviceFound", [.path("/a")], .found("/a")),
            ("DeviceLost", [.path("/a")], .lost("/a")), ("DeviceFound", [], nil), ("Explode", [], nil),
        ]
        for (member, body, event) in expected {
            let call = call(AdvertisementMonitor.path, interface, member, body)
            #expect(AdvertisementMonitor.answer(call, isFromDaemon: true).event == event)
            #expect(AdvertisementMonitor.answer(call, isFromDaemon: false).event == nil)
        }
    }

    @Test("every other call is refused")
    func everythingElse() throws {
        #expect(answer(call("/", nil, "X")).failure?.name == .unknownObject)
        #expect(answer(call(AdvertisementMonitor.root, "a.b", "X")).failure?.name == .unknownMethod)
        for path in [AdvertisementMonitor.root, AdvertisementMonitor.path] {
            let text = answer(call(path, "org.freedesktop.DBus.Introspectable", "Introspect")).body.first?.text
            #expect(text?.hasSuffix("</node>") == true)
        }
    }
}
