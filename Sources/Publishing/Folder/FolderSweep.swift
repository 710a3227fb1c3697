import Beacon
import Curation
import Glibc
import Platform
import SiteFormat

/// Removes files that no list names any more, but only after a while: readers may still have the previous list.
struct FolderSweep {
    let path: String
    let keepS: Double

    /// The file that records since when each file is not named any more, one per line: seconds since 1970, path.
    private var notes: String { "\(path)/.publish/unused" }

    /// - Returns: the number of removed files.
    func sweep(
        _ built: BuiltRevision, _ now: Moment, _ files: inout DurableFiles
    ) throws(PublishingError) -> Int {
        let known = unused()
        var kept: [String: Int64] = [:]
        var removed = 0
        for name in byContent() where !isNamed(name, by: built) {
            let second = Int64(now.time.seconds)
            // A clock that was ahead when it was noted must not keep the file for years.
            let since = min(known[name] ?? second, second)
            if now.time.seconds - Double(since) >= keepS {
                removed += unlink("\(path)/v1/\(name)") == 0 ? 1 : 0
            } else {
                kept[name] = since
            }
        }
        if kept != known {
            let lines = kept.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)\n" }
            try files.write(Array(lines.joined().utf8), to: notes)
        }
        // Only the current list uses these paths, so no reader of an old list needs them.
        for name in byIdentity() where built.files[name] == nil {
            removed += unlink("\(path)/v1/\(name)") == 0 ? 1 : 0
        }
        return removed
    }

    private func isNamed(_ name: String, by built: BuiltRevision) -> Bool {
        if name.hasPrefix("manifests/") { return built.files[name] != nil }
        guard let hash = AssetHash(String(name.suffix(64))) else { return false }
        return name.hasPrefix("assets/") ? built.assets[hash] != nil : hash == AssetHash(of: built.list)
    }

    private func unused() -> [String: Int64] {
        let text = String(decoding: readFile(notes) ?? [], as: UTF8.self)
        let lines = text.split(separator: "\n").compactMap { line -> (String, Int64)? in
            let parts = line.split(separator: " ", maxSplits: 1)
            guard parts.count == 2, let since = Int64(parts[0]) else { return nil }
            return (String(parts[1]), since)
        }
        return Dictionary(lines) { first, _ in first }
    }

    /// Only files whose names publishing creates. Other files that somebody puts there are kept.
    private func byContent() -> [String] {
        let plain = ["assets", "signatures"].flatMap { folder in
            names(in: "\(path)/v1/\(folder)").filter { AssetHash($0) != nil }.map { "\(folder)/\($0)" }
        }
        let manifests = names(in: "\(path)/v1/manifests").filter { name in
            name.hasSuffix(".json") && AssetHash(String(name.dropLast(5))) != nil
        }
        return plain + manifests.map { "manifests/\($0)" }
    }

    private func byIdentity() -> [String] {
        var found = fileSize("\(path)/v1/uncategorized.json") == nil ? [] : ["uncategorized.json"]
        for uuid in names(in: "\(path)/v1/beacons") {
            for major in names(in: "\(path)/v1/beacons/\(uuid)") {
                for minor in names(in: "\(path)/v1/beacons/\(uuid)/\(major)") where minor.hasSuffix(".json") {
                    let name = "\(uuid)/\(major)/\(minor.dropLast(5))"
                    if let scope = ContentScope(name), scope.beacon != nil, "beacons/\(name)" == scope.path {
                        found.append("\(scope.path).json")
                    }
                }
            }
        }
        return found
    }

    private func names(in folder: String) -> [String] {
        FolderListing.names(in: folder).filter { !$0.hasPrefix(".") }
    }
}
