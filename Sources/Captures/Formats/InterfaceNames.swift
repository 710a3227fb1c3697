import Synchronization

/// What the interfaces of a pcapng file are called. It grows while the file is read. Interfaces with the same name, as
/// in the sections of a merged file, are one.
package final class InterfaceNames: Sendable {
    private struct State {
        var names: [String] = []
        var numbers: [String: UInt16] = [:]
    }

    /// Limits the memory. Further ones count as the last.
    private static let most = 4096
    private static let longestName = 255

    private let state = Mutex(State())

    init() {}

    /// The number of an interface; a new one where its name is new.
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

    /// Nil where no interface has this number.
    package func name(_ number: UInt16) -> String? {
        state.withLock { $0.names.indices.contains(Int(number)) ? $0.names[Int(number)] : nil }
    }
}
