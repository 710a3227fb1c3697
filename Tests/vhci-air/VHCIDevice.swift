import Console
import Glibc
import Platform
import Radio
import Synchronization

/// A controller of the kernel's driver hci_vhci: the process that has /dev/vhci open acts as the controller and
/// exchanges H4 packets. Closing the file unplugs it.
final class VHCIDevice: Sendable {
    /// Nil once it is closed.
    private let descriptor: Mutex<Int32?>
    private let isClosing = Atomic(false)

    static let path = "/dev/vhci"
    /// The driver's own packets: a request for a controller, and the answer with the index of hciN. Linux,
    /// drivers/bluetooth/hci_vhci.c.
    static let vendorPacket: UInt8 = 0xFF
    private static let primaryController: UInt8 = 0x00

    init() throws(RadioError) {
        let opened = Glibc.open(Self.path, O_RDWR | O_CLOEXEC)
        guard opened >= 0 else {
            throw RadioError(
                .cannotOpen, at: Self.path, String(cString: strerror(errno)),
                remedy: "as root, in a kernel with the module hci_vhci: modprobe hci_vhci")
        }
        descriptor = Mutex(opened)
    }

    /// Plugs the controller in. The kernel sends commands at once, so the other side must be ready to answer.
    func plugIn() throws(RadioError) {
        guard write([Self.vendorPacket, Self.primaryController].span.bytes) else {
            throw RadioError(
                .cannotOpen, at: Self.path, "the kernel makes no controller: \(String(cString: strerror(errno)))")
        }
    }

    /// Sends the kernel a packet. Returns whether it was accepted; it is not while the adapter is down.
    func write(_ packet: RawSpan) -> Bool {
        descriptor.withLock { descriptor in
            guard let descriptor else { return false }
            return packet.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) == $0.count }
        }
    }

    /// The kernel's packets in order, until `close`. Call it once.
    func packets() -> AsyncStream<[UInt8]> {
        OwnThread.stream(of: [UInt8].self) { packets in self.read { packets.yield($0) } }
    }

    /// Unplugs the controller, within a tenth of a second.
    func close() {
        isClosing.store(true, ordering: .releasing)
    }

    private func read(_ deliver: ([UInt8]) -> Void) {
        guard let descriptor = descriptor.withLock({ $0 }) else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while !isClosing.load(ordering: .acquiring) {
            // The time-out is for `close`, which cannot wake this thread otherwise.
            guard poll(&watched, 1, 100) > 0 else { continue }
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            guard count > 0 || errno == EINTR || errno == EAGAIN else { break }
            if count > 0 { deliver(Array(buffer[..<count])) }
        }
        self.descriptor.withLock { current in
            Glibc.close(descriptor)
            current = nil
        }
    }
}
