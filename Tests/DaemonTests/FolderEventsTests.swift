import Daemon
import Testing

@Suite("What the kernel says about a folder")
struct FolderEventsTests {
    /// struct inotify_event, inotify(7), in the host's order.
    private func event(mask: UInt32 = 0x8, _ name: String, length: UInt32? = nil) -> [UInt8] {
        let room = (name.utf8.count / 16 + 1) * 16
        let header: [UInt32] = [1, mask, 0, length ?? UInt32(room)]
        let text = Array(name.utf8) + [UInt8](repeating: 0, count: room - name.utf8.count)
        return header.flatMap { word in withUnsafeBytes(of: word) { Array($0) } } + text
    }

    private func concern(_ name: String, _ events: [UInt8]) -> Bool {
        FolderEvents.concern(name, events.span.bytes)
    }

    @Test("a file is meant by its whole name, wherever its event stands")
    func name() {
        #expect(concern("beacond.yaml", event("beacond.yaml")))
        #expect(concern("beacond.yaml", event("other") + event("beacond.yaml") + event("other")))
        #expect(!concern("beacond.yaml", event("beacond.yam") + event("beacond.yaml.part")))
        #expect(!concern("beacond.yaml", []))
    }

    @Test("where the kernel has dropped events, one of them may have been about the file")
    func overflow() {
        #expect(concern("beacond.yaml", event("other") + event(mask: 0x4000, "", length: 0)))
    }

    @Test("cut and lying events do no harm")
    func broken() {
        let good = event("beacond.yaml")
        for count in 0..<good.count { #expect(!concern("beacond.yaml", Array(good.prefix(count)))) }
        #expect(!concern("beacond.yaml", event("beacond.yaml", length: .max)))
    }
}
