import Beacon
import Content
import Events
import Foundation
import Health
import Radio
import Ranging
import Testing

private let lobby = BeaconID(uuid: ProximityUUID(0x636F_3F8F_6491_4BEE_95F7_D8CC_64A8_63B5), major: 1, minor: 2)

private func weak(isOver: Bool) -> HealthChange {
    let problem = HealthProblem(kind: .weak, since: 60, evidence: "12 dB weaker than usual")
    return HealthChange(beacon: lobby, problem: problem, isOver: isOver)
}

@Suite("Events as JSON")
struct EventTextTests {
    private func json(_ event: DaemonEvent, name: String = "Lobby") throws -> [String: Any] {
        let names = Names()
        names.add([lobby: name])
        let text = EventText(names: names).json(EventRecord(id: 7, time: Timestamp(seconds: 1), event: event))
        return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("each has its number, its time, its kind and a line for people")
    func common() throws {
        let object = try json(.ranging(.entered(lobby)))
        #expect(object["id"] as? Int == 7)
        #expect(object["time"] as? String == "1970-01-01T00:00:01.000000Z")
        #expect(object["event"] as? String == "entered")
        #expect(object["text"] as? String == "entered  Lobby")
        let beacon = try #require(object["beacon"] as? [String: Any])
        #expect(beacon["uuid"] as? String == "636f3f8f-6491-4bee-95f7-d8cc64a863b5")
        #expect(beacon["major"] as? Int == 1)
        #expect(beacon["minor"] as? Int == 2)
        #expect(beacon["name"] as? String == "Lobby")
    }

    @Test(
        "kinds are the documented ones",
        arguments: [
            (DaemonEvent.ranging(.exited(lobby)), "exited"), (.ranging(.nearest(nil, previous: lobby)), "nearest"),
            (.ranging(.proximity(lobby, .near, previous: .far)), "proximity"), (.hearing(.blind), "scanner"),
            (.content(.nothing(lobby)), "content"), (.over(source: "sim"), "source"),
            (.configuration(isGood: false, ["line 1"]), "configuration"),
            (.trouble(part: "mqtt", problem: "refused", retry: 2), "part"),
            (.health(weak(isOver: false)), "health"),
        ])
    func kinds(event: DaemonEvent, kind: String) throws {
        #expect(try json(event)["event"] as? String == kind)
    }

    @Test("a problem says when it is tried again, and says nothing of that if it is not")
    func retry() throws {
        let tried = try json(.trouble(part: "mqtt", problem: "refused", retry: 2))
        #expect(tried["retry_s"] as? Double == 2)
        #expect(tried["text"] as? String == "mqtt: refused; trying again in 2 s")
        let left = try json(.trouble(part: "mqtt outbox", problem: "full", retry: nil))
        #expect(left["problem"] as? String == "full" && left["retry_s"] == nil)
        #expect(left["text"] as? String == "mqtt outbox: full")
    }

    @Test("that content waits and is synced again is said in words that are also true of a full disk")
    func waiting() throws {
        #expect(
            try json(.content(.waiting(lobby, stillHasOld: true)))["text"] as? String
                == "content  Lobby: waits until syncing works again; what was fetched before stays in use")
        #expect(try json(.content(.recovered(lobby)))["text"] as? String == "content  Lobby: is synced again")
    }

    @Test("a problem of a beacon has its kind, since when it is, and the evidence")
    func health() throws {
        let object = try json(.health(weak(isOver: false)))
        #expect(object["state"] as? String == "began")
        #expect(object["kind"] as? String == "weak")
        #expect(object["since"] as? String == "1970-01-01T00:01:00.000000Z")
        #expect(object["evidence"] as? String == "12 dB weaker than usual")
        #expect(object["text"] as? String == "health   Lobby: weak: 12 dB weaker than usual")
        #expect(object["level"] as? String == "warning")
        let over = try json(.health(weak(isOver: true)))
        #expect(over["state"] as? String == "over" && over["text"] as? String == "health   Lobby: no longer weak")
    }

    @Test("no nearest beacon is null, and the one before is told")
    func nearest() throws {
        let object = try json(.ranging(.nearest(nil, previous: lobby)))
        #expect(object["beacon"] is NSNull)
        #expect((object["previous"] as? [String: Any])?["minor"] as? Int == 2)
    }

    @Test("names from outside are made harmless", arguments: [
        ("\"\\\u{1}\n", "\"\\\u{FFFD}"), ("<script>", "<script>"), ("\u{202E}x", "\u{FFFD}x"),
    ])
    func names(name: String, shown: String) throws {
        let object = try json(.ranging(.entered(lobby)), name: name)
        let text = try #require((object["beacon"] as? [String: Any])?["name"] as? String)
        #expect(text == shown)
    }
}
