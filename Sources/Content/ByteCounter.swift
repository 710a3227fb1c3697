internal import Synchronization

/// Counts the bytes of assets that are received over the network.
final class ByteCounter: Sendable {
    private let bytes = Atomic<Int>(0)

    func add(_ count: Int) {
        bytes.add(count, ordering: .relaxed)
    }

    var value: Int64 { Int64(bytes.load(ordering: .relaxed)) }
}
