import Foundation

/// The folder of Package.swift.
let projectFolder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

/// The files of `Fuzz/Seeds/TARGET`.
func committedSeeds(_ target: String) throws -> [[UInt8]] {
    try files(in: "Fuzz/Seeds/\(target)")
}

/// The files of a folder of the project, sorted by name, or of those only that end like this.
package func files(in folder: String, suffix: String = "") throws -> [[UInt8]] {
    let place = projectFolder.appending(path: folder)
    guard FileManager.default.fileExists(atPath: place.path) else { return [] }
    return try FileManager.default.contentsOfDirectory(atPath: place.path).sorted()
        .filter { $0.hasSuffix(suffix) }
        .map { try [UInt8](Data(contentsOf: place.appending(path: $0))) }
}

/// A text file of the project.
func projectText(_ path: String) throws -> String {
    try String(contentsOf: projectFolder.appending(path: path), encoding: .utf8)
}
