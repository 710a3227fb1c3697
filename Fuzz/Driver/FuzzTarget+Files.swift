import Foundation
import FuzzTargets

extension FuzzTarget {
    /// Writes what libFuzzer takes from files: seeds and the dictionary.
    func prepare(in folder: String) throws {
        let place = URL(filePath: folder).appending(path: name)
        let seedFolder = place.appending(path: "seeds")
        try FileManager.default.createDirectory(at: seedFolder, withIntermediateDirectories: true)
        for (number, seed) in try seeds().enumerated() {
            try Data(seed).write(to: seedFolder.appending(path: "\(number)"))
        }
        let lines = words.map { "\"\($0.utf8.map(Self.escaped).joined())\"\n" }
        try Data(lines.joined().utf8).write(to: place.appending(path: "words"))
    }

    /// As libFuzzer's dictionaries have it: hexadecimal for what a quoted string cannot hold.
    private static func escaped(_ byte: UInt8) -> String {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): "\\" + String(UnicodeScalar(byte))
        case 0x20...0x7E: String(UnicodeScalar(byte))
        default: "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
    }
}
