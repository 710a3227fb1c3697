import Synchronization

/// The names of the interfaces of a pcapng file. It grows while the file is read. Interfaces with the same name, as in
/// the sections of a merged file, count as one.
package final class InterfaceNames: Sendable {
    private struct State {
        var names: [String] = []
        var numbers: [String: UInt16] = [:]
    }

    /// Limits the memory. Further interfaces count as the last one.
    private static let most = 4096
    private static let longestName = 255

    private let state = Mutex(State())

    init() {}

    /// The number of an interface; a new number for a new name.
    func number(of name: String) -> UInt16 {
        let name = String(decoding: name.utf8.prefix(Self.longestName), as: UTF8.self)
        return state.withLock { state in
            if let number = state.numbers[name] { return number }
            guard state.names.count < Self.most else { return UInt16(Self.most - 1) }
            let number = UInt16(state.names.count)
            state.names.append(name)
            state.numbers[name] = number
            return number
        }
    }

    /// Nil if no interface has this number.
    package func name(_ number: UInt16) -> String? {
        state.withLock { $0.names.indices.contains(Int(number)) ? $0.names[Int(number)] : nil }
    }
}
